package isolation

// shared are the tables with a column for a shop that belong to no shop, or lead to one.
var shared = map[string]string{
	"domain_aliases": "a shop is found by them, as by its own domain",
	"one_time_codes": "a number has one code, whichever shop asks for it; the shop only stands in the message",
}

// exception allows a function to send statements that do not name the shop for some tables.
type exception struct {
	from   string // the function, without "storefront/"
	tables string // "any": of all tables
	suite  string // the package whose tests must send such a statement, for each table
	reason string
}

// exceptions lists every exception.
var exceptions = []exception{
	{
		from: readBack, tables: "any", suite: "internal/contract/staff",
		reason: "reads a row by its id that the same transaction has updated under the guard's conditions",
	},

	// Work for all shops, by servers on their own.
	{
		from: "internal/database/sweep.Job.delete", tables: "any", suite: "internal/contract/account",
		reason: "deletes what has expired, in all shops",
	},
	{
		from: "internal/sale/order.(*Service).CancelOverdue", tables: "orders payments",
		suite:  "internal/contract/cart",
		reason: "finds orders of all shops that were not paid, and cancels each in its shop",
	},
	{
		from: "internal/sale/payment.(*Service).find", tables: "orders", suite: "internal/contract/payment",
		reason: "finds the order of a page by its code, and so the shop",
	},
	{
		from: "internal/sale/payment.(*Service).findAccount", tables: "gateway_accounts",
		suite:  "internal/contract/payment",
		reason: "finds the shop of the account about which a gateway calls",
	},
	{
		from: "internal/sale/payment.(*Service).Watch", tables: "payments", suite: "internal/contract/payment",
		reason: "finds the tries of all shops whose time has come, to look at each in its shop",
	},
	{
		from: "internal/sale/cart.(*Service).admitGuest", tables: "carts", suite: "internal/contract/cart",
		reason: "deletes the oldest cart that a client network filled, at whatever shop: its limit is over all shops",
	},
	{
		from: "internal/customer/account.(*Service).eraseDue",
		tables: "access_tokens carts comments contact_submissions expert_reviews favorites media_files orders " +
			"receipts staff_members user_products",
		suite:  "internal/contract/account",
		reason: "finds accounts in which nothing is, at any shop",
	},
	{
		from: "internal/content/moves.shopsWithMoves", tables: "categories", suite: "internal/contract/staff",
		reason: "finds the shops of which a category was moved, to finish that in each",
	},
	{
		from: "internal/media.(*Service).shopsToCheck", tables: "media_files", suite: "internal/contract/media",
		reason: "finds the shops whose images are to be checked, to do that in each",
	},
	{
		from: "internal/media.(*Service).isNew", tables: "media_files receipts", suite: "internal/contract/media",
		reason: "asks whether any shop has an image, whose place is then known",
	},
	{
		from: "internal/media.(*Service).sweepReceipts", tables: "receipts", suite: "internal/contract/media",
		reason: "finds the receipts of all shops that are old, to delete each in its shop",
	},
	{
		from: "internal/event/webhook.(*Service).claim", tables: "webhook_deliveries webhook_endpoints",
		suite:  "internal/event/webhook",
		reason: "takes endpoints of all shops that have events due, and sends each one's in its shop",
	},
	{
		from: "internal/event/webhook.(*Service).TakeOver", tables: "webhook_endpoints",
		suite:  "internal/event/webhook",
		reason: "takes the endpoints of all shops from a server that is gone",
	},
	{
		from: "internal/sale/gatewayaccount.(*Service).sealed", tables: "gateway_accounts",
		suite:  "internal/contract/staff",
		reason: "reads the credentials of all shops, to seal each under the new key in its shop",
	},
	{
		from: "internal/event/outbox.Number", tables: "shop_events", suite: "internal/event/webhook",
		reason: "numbers the events of all shops in one order",
	},
	{
		from: "internal/event/outbox.Last", tables: "shop_events", suite: "internal/event/webhook",
		reason: "finds the last number of an event of any shop",
	},
	{
		from: "internal/event/outbox.Deliver", tables: "shop_events webhook_endpoints",
		suite:  "internal/event/webhook",
		reason: "finds the endpoints of all shops with events, and makes the deliveries of each in its shop",
	},
	{
		from: "internal/event/outbox.Sweep", tables: "order_days shop_events", suite: "internal/sale/report",
		reason: "deletes old events of all shops, and the figures that they outdate",
	},
	{
		from: "internal/event/live.(*Service).updates", tables: "shop_events", suite: "internal/contract/cart",
		reason: "reads the events of all shops with listeners, and gives each to the listeners of its shop",
	},
	{
		from: "internal/event/webhook.(*Service).Backlog", tables: "shop_events webhook_deliveries webhook_endpoints",
		suite:  "internal/contract/service",
		reason: "counts for the metrics of the server",
	},

	// A customer's account is one for all shops.
	{
		from: "internal/customer/personal.(*walker).shops",
		tables: "carts comments contact_submissions expert_reviews favorites media_files memberships orders " +
			"user_products",
		suite:  "internal/contract/staff",
		reason: "finds the shops that know a customer",
	},
	{
		from: "internal/customer/account.(*Service).handOver", tables: "carts memberships",
		suite:  "internal/contract/account",
		reason: "ends the memberships of an account that somebody else made with the customer's number",
	},
	{
		from: "internal/customer/secondfactor.revokeTokens", tables: "access_tokens",
		suite:  "internal/contract/account",
		reason: "ends every way in that such an account has made, at any shop",
	},
	{
		from: "internal/customer/personal.remove", tables: "staff_invitations", suite: "internal/contract/staff",
		reason: "erases an account with all that was sent to its number",
	},
	{
		from: "internal/shop/audit.Forget", tables: "audit_entries", suite: "internal/contract/account",
		reason: "erases an account from what all shops have noted",
	},
	{
		from: "internal/customer/account.(*Service).completeLink", tables: "memberships",
		suite:  "internal/contract/account",
		reason: "signing in completes the links to all shops",
	},

	// Staff may work for several shops, and a token says which shop it is of.
	{
		from: "internal/shop/staff.(*Tokens).Authenticate", tables: "access_tokens",
		suite:  "internal/contract/staff",
		reason: "finds the shop of a token by its hash",
	},
	{
		from: "graph.userResolver.Workplaces", tables: "staff_members", suite: "internal/contract/staff",
		reason: "shows users all their roles",
	},
	{
		from: "internal/customer/secondfactor.note", tables: "staff_members", suite: "internal/contract/staff",
		reason: "notes what happens to a second factor wherever its holder works",
	},
	{
		from: "internal/customer/secondfactor.issuerOf", tables: "staff_members", suite: "internal/contract/staff",
		reason: "finds a shop where a user works",
	},
	{
		from: "internal/customer/account.(*Service).notifyOfNewOrigin", tables: "staff_members",
		suite:  "internal/contract/staff",
		reason: "staff of any shop get an SMS about a sign-in from a new origin",
	},
	{
		from: "internal/shop/staff.Received", tables: "staff_invitations", suite: "internal/contract/staff",
		reason: "shows users all invitations to their number",
	},
	{
		from: "internal/shop/staff.Accept", tables: "staff_invitations", suite: "internal/contract/staff",
		reason: "an invitation says which shop it is of",
	},
	{
		from: "internal/shop/staff.take", tables: "staff_invitations", suite: "internal/contract/staff",
		reason: "users accept or decline an invitation to their number, by its id",
	},
	{
		from: "internal/customer/personal.isStaff", tables: "staff_members", suite: "internal/contract/account",
		reason: "an account that works for any shop is not erased",
	},
	{
		from: "internal/customer/personal.(*walker).ids", tables: "staff_invitations staff_members",
		suite:  "internal/contract/staff",
		reason: "users export all their roles, and all invitations to their number",
	},
	{
		from: "internal/customer/personal.(*walker).read", tables: "staff_invitations staff_members",
		suite:  "internal/contract/staff",
		reason: "users export all their roles, and all invitations to their number",
	},
}
