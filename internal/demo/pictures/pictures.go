// Package pictures draws the images of the demo shops, so that they need no other host: book covers,
// clothes, machines, buildings. Each path below Path is one picture, the same every time and on every
// instance; its content is derived only from the bundles of package demo, never from a request.
//
// The bundles hold the sizes and colours, and app serves Handler.
package pictures

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"
)

// Path is the prefix of the paths of all pictures, such as Path + "paperlane/products/PL-1000-1.svg".
const Path = "/demo/images/"

// Picture describes what an image shows.
type Picture struct {
	Width, Height int
	Title, Line   string // words written in it; empty: none
	palette       palette
	kind          kind
	scene         string // the name of a shape
	seed          uint32 // the same for all images of a product
	view          int    // which of the product's images it is, from 0
}

type kind int

const (
	shape kind = iota // a thing in the middle
	cover             // a book
	scenery
	wordmark
	mark
)

// Color returns the colour to show until the picture is loaded, as #rrggbb.
func (p Picture) Color() string { return p.palette.ground }

// shop are the members of a bundle that pictures are drawn from.
type shop struct {
	Tenant struct {
		Slug, Name, NameFa, PrimaryColor, DefaultLocale, LogoURL, FaviconURL string
	}
	Brands     []struct{ Slug, Name, NameFa, LogoURL string }
	Categories []struct{ EntityType, Slug, ParentSlug, Name, NameFa, ImageURL string }
	Products   []struct {
		TitleFa, TitleEn, Category string
		Images                     []image
		Values                     struct{ Author any }
		Variations                 []struct {
			Values []struct{ Key, ColorHex string }
		}
		Variants []struct{ ImageURL string }
	}
	UserProducts, Blogs, Portfolios []struct {
		TitleFa, Category string
		Images            []image
	}
	Sliders []struct {
		Slides []struct{ Title, ImageURL string }
	}
}

type image struct{ URL string }

// Of returns the pictures of a shop's bundle by their addresses in it.
func Of(bundle []byte) (map[string]Picture, error) {
	var s shop
	if err := json.Unmarshal(bundle, &s); err != nil {
		return nil, fmt.Errorf("the pictures of a bundle: %w", err)
	}
	all := map[string]Picture{}
	put := func(url string, p Picture) {
		if strings.HasPrefix(url, Path) {
			all[url] = p
		}
	}
	name := s.Tenant.Name
	if s.Tenant.DefaultLocale == "fa" {
		name = s.Tenant.NameFa
	}
	own := ofColor(s.Tenant.PrimaryColor)
	put(s.Tenant.LogoURL, Picture{Width: 360, Height: 120, Title: name, palette: own, kind: wordmark})
	put(s.Tenant.FaviconURL, Picture{Width: 64, Height: 64, Title: name, palette: own, kind: mark})
	for _, b := range s.Brands {
		put(b.LogoURL, Picture{Width: 320, Height: 160, Title: b.Name, palette: paletteOf(b.Slug), kind: wordmark})
	}
	parents := map[string]string{}
	for _, c := range s.Categories {
		if c.EntityType == "product" {
			parents[c.Slug] = c.ParentSlug
			put(c.ImageURL, Picture{
				Width: 600, Height: 600, palette: paletteOf(c.Slug), scene: sceneOf(c.Slug, parents),
			})
		}
	}
	for _, p := range s.Products {
		scene := sceneOf(p.Category, parents)
		one := Picture{Width: 800, Height: 600, scene: scene}
		switch {
		case scene == "books":
			one.Width, one.Height, one.kind, one.Title = 600, 800, cover, p.TitleEn
			one.Line, _ = p.Values.Author.(string)
		case clothes[scene]:
			one.Width, one.Height = 600, 800
		}
		if len(p.Images) > 0 {
			one.seed = hash(stem(p.Images[0].URL))
		}
		for i, at := range p.Images {
			one.palette, one.view = palettes[int(one.seed)%len(palettes)], i
			put(at.URL, one)
		}
		colors := map[string]string{}
		for _, v := range p.Variations {
			for _, value := range v.Values {
				colors[value.Key] = value.ColorHex
			}
		}
		for _, v := range p.Variants {
			_, key, _ := strings.Cut(strings.TrimPrefix(nameOf(v.ImageURL), "PL-"), "-")
			one.view, one.palette = 0, clothColor(colors[key])
			put(v.ImageURL, one)
		}
	}
	for _, u := range s.UserProducts {
		for i, at := range u.Images {
			put(at.URL, Picture{Width: 800, Height: 600, scene: sceneOf(u.Category, parents),
				palette: paletteOf(stem(at.URL)), seed: hash(stem(at.URL)), view: i})
		}
	}
	for _, b := range append(s.Blogs, s.Portfolios...) {
		for i, at := range b.Images {
			put(at.URL, Picture{Width: 960, Height: 640, kind: scenery, palette: paletteOf(stem(at.URL)),
				seed: hash(at.URL), view: i})
		}
	}
	for _, l := range s.Sliders {
		for _, slide := range l.Slides {
			put(slide.ImageURL, Picture{Width: 1600, Height: 640, kind: scenery, palette: paletteOf(slide.ImageURL),
				seed: hash(slide.ImageURL)})
		}
	}
	return all, nil
}

// nameOf returns the last segment of an address without its extension.
func nameOf(url string) string {
	return strings.TrimSuffix(url[strings.LastIndex(url, "/")+1:], ".svg")
}

// stem returns the common part of the addresses of all images of a record.
func stem(url string) string { return url[:max(strings.LastIndex(url, "-"), 0)] }

func hash(text string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text))
	n := h.Sum32()
	return n ^ n>>15
}

// sceneOf returns the shape of a category: its own, or that of its nearest ancestor.
func sceneOf(category string, parents map[string]string) string {
	for at := category; at != ""; at = parents[at] {
		if scene := scenes[at]; scene != "" {
			return scene
		}
	}
	return "gear"
}

var scenes = map[string]string{
	"books": "books",
	"men":   "tee", "women": "tee", "kids": "tee",
	"men-t-shirts": "tee", "men-shirts": "shirt", "men-knitwear": "jumper", "men-trousers": "trousers",
	"men-outerwear": "coat",
	"women-dresses": "dress", "women-tops": "tee", "women-knitwear": "jumper", "women-trousers": "trousers",
	"women-outerwear": "coat",
	"kids-tops":       "tee", "kids-trousers": "trousers", "kids-outerwear": "coat",

	"turning": "lathe", "milling": "cabinet", "laser-cutting": "cabinet", "presses": "press", "metalworking": "gear",
	"welding": "generator", "excavators": "digger", "road-construction": "roller", "packaging": "cabinet",
	"woodworking": "table", "generators": "generator", "compressors": "tank",
}

var clothes = map[string]bool{"tee": true, "shirt": true, "jumper": true, "trousers": true, "coat": true, "dress": true}
