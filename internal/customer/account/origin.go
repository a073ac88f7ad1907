package account

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/database/transaction"
	"storefront/internal/message/sms"
	"storefront/internal/platform/ratelimit"
)

const (
	originKnownFor = 90 * day         // after a sign-in there
	noticesInDay   = 3                // notices of one account, so that a roaming phone causes no flood
	noticeTime     = 10 * time.Minute // after it the message is useless
)

// origin is where a user signs in: with which client, and from which network.
type origin struct{ client, network string }

// The programs and systems that users know, by their mark in a User-Agent. Many name others as well, so the
// first match counts.
var (
	browsers = [][2]string{{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser/", "Samsung Internet"},
		{"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"}, {"CriOS/", "Chrome"}, {"Chrome/", "Chrome"},
		{"Version/", "Safari"}}
	systems = [][2]string{{"Android", "Android"}, {"iPhone", "iOS"}, {"iPad", "iOS"}, {"Windows", "Windows"},
		{"Mac OS X", "macOS"}, {"CrOS", "ChromeOS"}, {"Linux", "Linux"}}
)

const longestClient = 40 // characters

// clientOf describes the client that sent a User-Agent: Firefox on Windows, okhttp. The result has no
// versions, so that an update makes no new client, and only letters, digits and a few signs.
func clientOf(userAgent string) string {
	if strings.HasPrefix(userAgent, "Mozilla/") {
		browser, system := firstIn(userAgent, browsers), firstIn(userAgent, systems)
		if browser = cmp.Or(browser, "a browser"); system == "" {
			return browser
		}
		return browser + " on " + system
	}
	product, _, _ := strings.Cut(userAgent, "/")
	product = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune(" _-", r):
			return r
		}
		return -1
	}, product[:min(len(product), longestClient)])
	return strings.TrimSpace(product)
}

func firstIn(userAgent string, addresses [][2]string) string {
	for _, one := range addresses {
		if strings.Contains(userAgent, one[0]) {
			return one[1]
		}
	}
	return ""
}

// workplacesToNotify reads where a user works, operators included, unless the user has signed in from there lately.
var workplacesToNotify = database.Statement(`SELECT t.name, t.name_fa, t.default_locale
	FROM staff_members m LEFT JOIN tenants t ON t.id = m.business_id
	WHERE m.user_id = $user AND NOT EXISTS (SELECT 1 FROM sessions s
		WHERE s.user_id = m.user_id AND s.created_at > $since
		AND s.network = $network AND s.client = $client)
	ORDER BY m.id`)

// workplace is a shop that a user works for; it has no names if that is the service itself.
type workplace struct{ name, nameFa, locale *string }

// notifyOfNewOrigin sends an SMS, after the commit, to a user who works for a shop or the service and signs in
// from an origin that they have not used for 90 days.
func (s *Service) notifyOfNewOrigin(ctx context.Context, tx *ent.Tx, who *ent.User, here origin) error {
	if here.network == "" || !s.Sender.Reaches(who.CellNumber) {
		return nil
	}
	var works []workplace
	err := workplacesToNotify.Each(ctx, tx.Raw(), database.Values{"user": who.ID, "since": s.now().Add(-originKnownFor),
		"network": here.network, "client": here.client}, func(row *sql.Rows) error {
		var at workplace
		err := row.Scan(&at.name, &at.nameFa, &at.locale)
		works = append(works, at)
		return err
	})
	if err != nil || len(works) == 0 {
		return err
	}
	return s.notify(ctx, tx, who, noticeOf(works, here.network))
}

// notify sends an SMS to the holder of an account after the commit, if it has had few of them today.
func (s *Service) notify(ctx context.Context, tx *ent.Tx, who *ent.User, text string) error {
	_, full, err := ratelimit.Take(ctx, tx, s.now,
		ratelimit.Limit{Key: "notice:" + who.ID.String(), Window: day, Most: noticesInDay})
	if err != nil || full.Wait > 0 {
		return err
	}
	message := outgoing{
		Message: sms.Message{To: who.CellNumber, Text: text},
		kind:    aNotice, network: clientNetwork(ctx), expires: s.now().Add(noticeTime),
		unsent: func(context.Context) {},
	}
	transaction.OnCommit(tx, func() { s.outbox.put(message) })
	return nil
}

// noticeOf returns the text of a notice, in English where all shops of a member of staff are English, else in
// Farsi. No part of it comes from the client.
func noticeOf(works []workplace, network string) string {
	english := true
	var first workplace
	for _, at := range works {
		english = english && at.locale != nil && *at.locale == "en"
		if first.name == nil {
			first = at
		}
	}
	switch {
	case english:
		return fmt.Sprintf("New sign-in to your account at %s, from the network %s. If it was not you, "+
			"reset your password with an SMS code: that ends all sessions.", *first.name, network)
	case first.nameFa == nil:
		return fmt.Sprintf("ورود تازه به حساب شما از شبکهٔ %s. اگر شما نبودید، "+
			"گذرواژه را با کد پیامکی بازنشانی کنید "+
			"تا همهٔ نشست‌ها پایان یابد.", network)
	}
	return fmt.Sprintf("ورود تازه به حساب شما در %s از شبکهٔ %s. اگر شما نبودید، "+
		"گذرواژه را با کد پیامکی بازنشانی کنید "+
		"تا همهٔ نشست‌ها پایان یابد.", *first.nameFa, network)
}
