package pictures

// shapes are objects in a square of 600, in the colours $a (the object), $b (its shade) and $c (its lines).
var shapes = map[string]string{
	"tee": `<path fill="$a" d="M210 110 120 150 70 270l80 35 25-45v230h250V260l25 45 ` +
		`80-35-50-120-90-40q-90 70-180 0z"/>` +
		`<path fill="none" stroke="$c" stroke-width="6" d="M210 110q90 70 180 0M175 260V180M425 260V180"/>`,
	"shirt": `<path fill="$a" d="m215 95-95 45-50 300 65 10 40-190v250h250V260l40 190 65-10-50-300-95-45-85 50z"/>` +
		`<path fill="$b" d="m215 95 85 50-50 55-50-80zM385 95l-85 50 50 55 50-80z"/>` +
		`<path stroke="$c" stroke-width="5" d="M300 145v365"/>` +
		`<g fill="$c"><circle cx="314" cy="230" r="6"/><circle cx="314" cy="310" r="6"/>` +
		`<circle cx="314" cy="390" r="6"/></g>`,
	"jumper": `<path fill="$a" d="m220 105-95 40-60 300 70 12 45-180v223h240V277l45 180 ` +
		`70-12-60-300-95-40q-80 50-160 0z"/>` +
		`<path fill="$b" d="M180 470h240v30H180zM66 428l70 14-3 18-70-14zM534 428l-70 14 3 18 70-14z"/>` +
		`<path fill="none" stroke="$b" stroke-width="10" d="m185 260 38 30 39-30 38 30 38-30 39 30 38-30` +
		`M185 310l38 30 39-30 38 30 38-30 39 30 38-30M220 108q80 62 160 0"/>`,
	"trousers": `<path fill="$a" d="M195 80h210l45 440H340L300 210l-40 310H150z"/>` +
		`<path fill="$b" d="M195 80h210l4 40H191z"/>` +
		`<path fill="none" stroke="$c" stroke-width="5" d="M300 120v80M215 125q5 50-40 60M385 125q-5 50 40 60"/>`,
	"coat": `<path fill="$a" d="m215 85-95 45-55 320 70 12 35-170v238h260V292l35 170 70-12-55-320-95-45-85 40z"/>` +
		`<path fill="$b" d="m215 85 85 180 85-180 30 20-60 130-55 60-55-60-60-130z"/>` +
		`<path stroke="$c" stroke-width="6" d="M300 290v240M205 400h60M335 400h60"/>` +
		`<g fill="$c"><circle cx="320" cy="320" r="8"/><circle cx="320" cy="370" r="8"/></g>`,
	"dress": `<path fill="$a" d="M235 80v70q65 40 130 0V80l40 20-15 140 90 280H120l90-280-15-140z"/>` +
		`<path fill="$b" d="m210 240 180 0 6 24H204z"/>` +
		`<path fill="none" stroke="$c" stroke-width="5" d="m240 280-40 220M300 280v220M360 280l40 220"/>`,
	"books": `<path fill="$a" d="M120 380h330v60H120zM150 310h320v60H150z"/>` +
		`<path fill="$b" d="M110 450h360v60H110z"/>` +
		`<path fill="$c" d="M150 310h40v60h-40zM120 380h30v60h-30zM430 450h20v60h-20z"/>` +
		`<path fill="$b" d="m250 130 150 30-30 145-150-30z"/><path fill="$c" d="m285 170 80 16-4 18-80-16z"/>`,
	"lathe": `<path fill="$b" d="M60 430h120v80H60zM420 430h120v80H420z"/><path fill="$a" d="M50 220h150v210H50z"/>` +
		`<path fill="$a" d="M50 390h500v50H50zM460 270h70v120h-70z"/>` +
		`<path fill="$c" d="M200 270h60v90h-60zM260 300h170v30H260z"/>` +
		`<path fill="$b" d="M310 345h80v45h-80zM430 300h30v30h-30z"/><circle cx="125" cy="290" r="32" fill="$c"/>`,
	"cabinet": `<path fill="$a" d="M70 130h460v360H70z"/><path fill="$b" d="M110 180h270v210H110z"/>` +
		`<path fill="$c" d="M220 180h50v90h-50zM232 270h26v40h-26zM150 340h190v22H150z"/>` +
		`<path fill="$b" d="M410 180h90v130h-90z"/><path fill="$c" d="M422 194h66v48h-66z"/>` +
		`<g fill="$c"><circle cx="435" cy="275" r="9"/><circle cx="475" cy="275" r="9"/></g>` +
		`<path fill="$b" d="M90 490h60v24H90zM450 490h60v24h-60z"/>`,
	"press": `<path fill="$a" d="M130 100h340v90H130zM110 430h380v80H110zM130 190h60v240h-60zM410 190h60v240h-60z"/>` +
		`<path fill="$c" d="M270 190h60v70h-60z"/><path fill="$b" d="M215 260h170v50H215zM215 390h170v40H215z"/>` +
		`<path fill="$c" d="M250 372h100v18H250z"/>`,
	"digger": `<rect x="60" y="430" width="300" height="84" rx="42" fill="$c"/>` +
		`<path fill="$a" d="M80 320h270v95H80z"/>` +
		`<path fill="$a" d="M170 200h130v120H170z"/><path fill="$b" d="M190 220h80v70h-80z"/>` +
		`<path fill="none" stroke="$a" stroke-width="34" stroke-linejoin="round" d="m330 350 110-190 90 120"/>` +
		`<path fill="$b" d="m495 280 70-10 5 90q-50 40-90-10z"/>` +
		`<g fill="$a"><circle cx="105" cy="472" r="22"/><circle cx="315" cy="472" r="22"/></g>`,
	"roller": `<circle cx="165" cy="420" r="95" fill="$b"/><circle cx="165" cy="420" r="34" fill="$c"/>` +
		`<circle cx="450" cy="435" r="80" fill="$c"/><circle cx="450" cy="435" r="32" fill="$a"/>` +
		`<path fill="$a" d="M150 330h150v-40h220l25 110H350l-30 30H230z"/><path fill="$a" d="M300 140h170v20H300z"/>` +
		`<path fill="$b" d="M318 160h18v130h-18zM440 160h18v130h-18z"/>`,
	"table": `<path fill="$a" d="M60 270h480v40H60z"/>` +
		`<path fill="$b" d="M90 310h50v200H90zM460 310h50v200h-50zM180 310h240v120H180z"/>` +
		`<path fill="$c" d="M230 270a70 70 0 0 1 140 0z"/>` +
		`<path fill="$b" d="M430 190h20v80h-20zM120 180h330v20H120z"/>`,
	"generator": `<path fill="$a" d="M70 200h460v240H70z"/>` +
		`<path fill="$b" d="M70 440h460v50H70zM430 120h40v80h-40z"/>` +
		`<path stroke="$b" stroke-width="14" d="M110 250h180M110 290h180M110 330h180M110 370h180"/>` +
		`<path fill="$b" d="M340 240h150v110H340z"/><path fill="$c" d="m425 250-50 52h30l-20 40 55-56h-32z"/>` +
		`<path fill="$c" d="M110 490h70v22h-70zM420 490h70v22h-70z"/>`,
	"tank": `<rect x="60" y="300" width="480" height="160" rx="80" fill="$a"/>` +
		`<path fill="$b" d="M130 460h40v50h-40zM430 460h40v50h-40z"/>` +
		`<path fill="$b" d="M140 190h150v110H140zM330 220h130v80H330z"/><path fill="$c" d="M290 245h40v20h-40z"/>` +
		`<g fill="$c"><circle cx="395" cy="260" r="24"/><circle cx="170" cy="225" r="14"/>` +
		`<circle cx="215" cy="225" r="14"/></g>`,
	"gear": `<path fill="$a" d="M270 90h60l10 60 50 22 52-32 42 42-32 52 22 50 60 10v60l-60 10-22 50 32 52-42 ` +
		`42-52-32-50 22-10 60` +
		`h-60l-10-60-50-22-52 32-42-42 32-52-22-50-60-10v-60l60-10 22-50-32-52 42-42 52 32 50-22z"/>` +
		`<circle cx="300" cy="324" r="96" fill="$b"/><circle cx="300" cy="324" r="44" fill="$c"/>`,
}
