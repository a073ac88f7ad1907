package account

import (
	"context"
	"time"

	"storefront/internal/fault"
	"storefront/internal/platform/ratelimit"
	"storefront/internal/request"
)

// The limits of codes that are sent (contract 3.2), beside those that are settings.
const (
	// addressWindow is the span of the limits of one client address.
	addressWindow = 10 * time.Minute

	networksOfMinute = 8 // it takes at least this many networks to use up the codes of strangers in a minute
	crowdOfMinute    = 2 // networks with more than a few codes share 1/this of the codes of strangers
	fewOfMinute      = 8 // 1/this of what one network may have in a minute counts as few
	reservedOfMinute = 4 // 1/this of the codes of a minute is reserved for cells at an address they signed in from

	// devicesOfDay is how many times as many codes as one of them all devices of a cell may have in a day.
	devicesOfDay = 2

	// timesOfKnown is how many times as many codes as strangers known customers may request.
	timesOfKnown = 4

	// A provider of premium numbers has blocks of them, and earns from each message. Blocks of ten thousand
	// and of a million numbers get this many times the limit of one client address.
	timesOfBlock, timesOfWideBlock = 4, 16
)

// The limits that can refuse a code, for the counter of refusals.
const (
	refusedCell    = "cell"
	refusedClient  = "client"
	refusedNetwork = "network"
	refusedNumbers = "numbers"
	refusedService = "service"
)

// Refusals are the names of the limits that may refuse a code.
var Refusals = []string{refusedCell, refusedClient, refusedNetwork, refusedNumbers, refusedService}

func (s *Service) sendLimits(ctx context.Context, cell string, by standing) limits {
	tooMany := fault.Say("too many codes for this cell number")
	sent := "code:send:" + cell + by.counts()
	all := limits{
		limitOf(pauseKey(cell, by), s.Times.Resend, 1, fault.Say("a code was sent a moment ago; wait for it")),
		limitOf(sent, time.Hour, s.CodesInHour, tooMany), limitOf(sent, day, s.CodesInDay, tooMany),
	}
	if by.party == device {
		all = append(all, limitOf("code:send:"+cell+":devices", day, devicesOfDay*s.CodesInDay, tooMany))
	}
	for i := range all {
		all[i].name = refusedCell
	}
	ofAddress := limitOf("code:send@"+request.ClientAddress(ctx), addressWindow, s.CodesToAddress,
		fault.Say("too many codes for one client address")).
		as(refusedClient, "codes were refused to a client address, as OTP_PER_ADDRESS says; if it is a storefront's "+
			"own server that calls for its customers, name it in TRUSTED_PROXIES and let it pass their addresses on "+
			"in X-Forwarded-For")
	ofService := serviceLimit("code:send", s.CodesInMinute, "codes were refused to everybody, as OTP_PER_MINUTE says")
	if by.trusted() { // strangers, at the same address and elsewhere, do not use up the customer's share
		ofAddress.Key, ofAddress.Most = "code:known@"+request.ClientAddress(ctx), timesOfKnown*s.CodesToAddress
		return append(all, ofAddress, ofService)
	}
	ofService.Most = s.strangersInMinute()
	ofService.hint = "codes were refused to strangers: OTP_PER_MINUTE is used up but for its reserve"
	return append(append(append(all, ofAddress), s.networkLimits(ctx, cell)...),
		append(s.blockLimits(cell), ofService)...)
}

// strangersInMinute returns how many codes all strangers together may have in a minute.
func (s *Service) strangersInMinute() int { return s.CodesInMinute - s.CodesInMinute/reservedOfMinute }

// networkInMinute returns how many of these codes one /48 or /24 may have.
func (s *Service) networkInMinute() int {
	return (s.CodesInMinute + networksOfMinute - 1) / networksOfMinute
}

// crowdLimits returns the joint limit of those strangers' networks that had more than a few codes in the last
// minute. The rest remains for networks that rarely request a code, so that a few networks of attackers do
// not use up everybody's codes.
func (s *Service) crowdLimits(ctx context.Context) (limits, error) {
	wider := ratelimit.Wider(request.Of(ctx).Credentials.Client)
	if len(wider) == 0 {
		return nil, nil
	}
	few := ratelimit.Limit{
		Key: networkKey(wider[len(wider)-1]), Window: time.Minute,
		Most: (s.networkInMinute() + fewOfMinute - 1) / fewOfMinute,
	}
	full, err := ratelimit.Peek(ctx, s.Store, s.now(), few)
	if err != nil || full.Wait == 0 {
		return nil, err
	}
	return limits{serviceLimit("code:send:crowd", s.strangersInMinute()/crowdOfMinute,
		"codes were refused to networks that had more than a few: the others have what is left of OTP_PER_MINUTE")}, nil
}

func serviceLimit(key string, most int, hint string) limit {
	return limitOf(key, time.Minute, most, fault.Say("the service sends no more codes at the moment")).
		as(refusedService, hint)
}

func networkKey(network ratelimit.Network) string { return "code:send@" + network.Prefix.String() }

func pauseKey(cell string, by standing) string { return "code:pause:" + cell + by.counts() }

// networkLimits returns the limits of a stranger's networks, for all codes and for one block of numbers.
func (s *Service) networkLimits(ctx context.Context, cell string) (all limits) {
	add := func(key string, window time.Duration, most int) {
		all = append(all, limitOf(key, window, most, fault.Say("too many codes for one network")).as(refusedNetwork,
			"codes were refused to a network, which has a multiple of OTP_PER_ADDRESS and a part of OTP_PER_MINUTE"))
	}
	wider := ratelimit.Wider(request.Of(ctx).Credentials.Client)
	for i, network := range wider {
		key := networkKey(network)
		add(key, addressWindow, network.Times*s.CodesToAddress)
		if i == len(wider)-1 {
			add(key, time.Minute, s.networkInMinute())
			add("code:numbers:"+block(cell, 4)+"@"+network.Prefix.String(), addressWindow, s.CodesToAddress)
		}
	}
	return all
}

func (s *Service) blockLimits(cell string) (all limits) {
	for _, b := range []struct{ digits, times int }{{4, timesOfBlock}, {6, timesOfWideBlock}} {
		all = append(all, limitOf("code:numbers:"+block(cell, b.digits), addressWindow, b.times*s.CodesToAddress,
			fault.Say("too many codes for numbers like this one")).as(refusedNumbers,
			"codes were refused to a block of numbers: are they premium numbers, whose provider earns from each "+
				"message?"))
	}
	return all
}

// block returns the block of a cell: the prefix it shares with numbers that differ in the last digits.
func block(cell string, digits int) string { return cell[:max(0, len(cell)-digits)] }
