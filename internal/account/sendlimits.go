package account

import (
	"context"
	"time"

	"storefront/internal/auth"
	"storefront/internal/bulkhead"
	"storefront/internal/fault"
	"storefront/internal/ratelimit"
)

// The limits of codes that are sent (contract 3.2), beside those that are settings.
const (
	// addressWindow is the span of the limits of one client address.
	addressWindow = 10 * time.Minute

	networksOfMinute = 8 // at least so many networks it takes to use up what strangers may have in a minute
	crowdOfMinute    = 2 // a part of so many of what strangers may have is for networks that had more than few of it
	fewOfMinute      = 8 // a part of so many of what one network may have in a minute is few
	reservedOfMinute = 4 // a part of so many of the codes of a minute is for cells at an address they signed in from

	// timesOfKnown is how many times as much as strangers may ask for, those may who are known at a client address.
	timesOfKnown = 4

	// A provider of premium numbers has them in blocks, and earns from each message. Blocks of ten thousand and
	// a million numbers may get as many times as much as one client address may ask for.
	timesOfBlock, timesOfWideBlock = 4, 16
)

// What refused a code, for a counter of its own.
const (
	refusedCell    = "cell"
	refusedClient  = "client"
	refusedNetwork = "network"
	refusedNumbers = "numbers"
	refusedService = "service"
)

// Refusals are what may refuse a code.
var Refusals = []string{refusedCell, refusedClient, refusedNetwork, refusedNumbers, refusedService}

// sendLimits returns the limits of sending a code to a cell.
func (s *Service) sendLimits(ctx context.Context, cell string, standing bulkhead.Standing) limits {
	tooMany := fault.Say("too many codes for this cell number")
	sent := "code:send:" + cell
	all := limits{
		{
			Limit: ratelimit.Limit{Key: pauseKey(cell), Window: s.times.Resend, Most: 1},
			full:  fault.Say("a code was sent a moment ago; wait for it"),
			name:  refusedCell,
		},
		{Limit: ratelimit.Limit{Key: sent, Window: time.Hour, Most: s.codesInHour}, full: tooMany, name: refusedCell},
		{Limit: ratelimit.Limit{Key: sent, Window: day, Most: s.codesInDay}, full: tooMany, name: refusedCell},
	}
	ofAddress := limit{
		Limit: ratelimit.Limit{
			Key: "code:send@" + auth.ClientAddress(ctx), Window: addressWindow, Most: s.codesToAddress,
		},
		client: true,
		full:   fault.Say("too many codes for one client address"),
		name:   refusedClient,
		hint: "codes were refused to a client address, as OTP_PER_ADDRESS says; if it is a storefront's own " +
			"server that calls for its customers, name it in TRUSTED_PROXIES and let it pass their addresses " +
			"on in X-Forwarded-For",
	}
	ofService := limit{
		Limit: ratelimit.Limit{Key: "code:send", Window: time.Minute, Most: s.codesInMinute},
		full:  fault.Say("the service sends no more codes at the moment"),
		name:  refusedService,
		hint:  "codes were refused to everybody, as OTP_PER_MINUTE says",
	}
	if standing == bulkhead.Known { // strangers at the same address, and everywhere else, leave room for the customer
		ofAddress.Key, ofAddress.Most = "code:known@"+auth.ClientAddress(ctx), timesOfKnown*s.codesToAddress
		return append(all, ofAddress, ofService)
	}
	ofService.Most = s.strangersInMinute()
	ofService.hint = "codes were refused to strangers: OTP_PER_MINUTE is used up but for its reserve"
	return append(append(append(all, ofAddress), s.networkLimits(ctx, cell)...),
		append(s.blockLimits(cell), ofService)...)
}

// strangersInMinute is how many codes all strangers together may have in a minute.
func (s *Service) strangersInMinute() int { return s.codesInMinute - s.codesInMinute/reservedOfMinute }

// networkInMinute is how many of them one /48 or /24 may have.
func (s *Service) networkInMinute() int {
	return (s.codesInMinute + networksOfMinute - 1) / networksOfMinute
}

// crowdLimits returns what strangers' networks that had more than a few codes in the last minute may have together. The
// rest stays for networks that ask for a code now and then: a handful that pump do not use up everybody's.
func (s *Service) crowdLimits(ctx context.Context) (limits, error) {
	wider := ratelimit.Wider(auth.CredentialsOf(ctx).Client)
	if len(wider) == 0 {
		return nil, nil
	}
	few := ratelimit.Limit{
		Key: networkKey(wider[len(wider)-1]), Window: time.Minute,
		Most: (s.networkInMinute() + fewOfMinute - 1) / fewOfMinute,
	}
	full, err := ratelimit.Peek(ctx, s.store, s.now(), few)
	if err != nil || full.Wait == 0 {
		return nil, err
	}
	return limits{{
		Limit: ratelimit.Limit{
			Key: "code:send:crowd", Window: time.Minute, Most: s.strangersInMinute() / crowdOfMinute,
		},
		full: fault.Say("the service sends no more codes at the moment"),
		name: refusedService,
		hint: "codes were refused to networks that had more than a few: the others have what is left of OTP_PER_MINUTE",
	}}, nil
}

func networkKey(network ratelimit.Network) string { return "code:send@" + network.Prefix.String() }

func pauseKey(cell string) string { return "code:pause:" + cell }

// networkLimits returns the limits of what a stranger's networks may ask for, together and for one block of numbers.
func (s *Service) networkLimits(ctx context.Context, cell string) (all limits) {
	add := func(key string, window time.Duration, most int) {
		all = append(all, limit{
			Limit:  ratelimit.Limit{Key: key, Window: window, Most: most},
			client: true,
			full:   fault.Say("too many codes for one network"),
			name:   refusedNetwork,
			hint: "codes were refused to a network, which has a multiple of OTP_PER_ADDRESS and a " +
				"part of OTP_PER_MINUTE",
		})
	}
	wider := ratelimit.Wider(auth.CredentialsOf(ctx).Client)
	for i, network := range wider {
		key := networkKey(network)
		add(key, addressWindow, network.Times*s.codesToAddress)
		if i == len(wider)-1 {
			add(key, time.Minute, s.networkInMinute())
			add("code:numbers:"+block(cell, 4)+"@"+network.Prefix.String(), addressWindow, s.codesToAddress)
		}
	}
	return all
}

// blockLimits returns the limits of what strangers may have sent to numbers that begin like a cell.
func (s *Service) blockLimits(cell string) (all limits) {
	for _, b := range []struct{ digits, times int }{{4, timesOfBlock}, {6, timesOfWideBlock}} {
		all = append(all, limit{
			Limit: ratelimit.Limit{
				Key: "code:numbers:" + block(cell, b.digits), Window: addressWindow, Most: b.times * s.codesToAddress,
			},
			full: fault.Say("too many codes for numbers like this one"),
			name: refusedNumbers,
			hint: "codes were refused to a block of numbers: are they premium numbers, whose provider " +
				"earns from each message?",
		})
	}
	return all
}

// block is the block of numbers to which a cell belongs, which differ in so many digits at the end.
func block(cell string, digits int) string { return cell[:max(0, len(cell)-digits)] }
