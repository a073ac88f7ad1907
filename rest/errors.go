package rest

import (
	"net/http"

	"storefront/internal/fault"
	"storefront/internal/wire"
)

// statusesOf are the codes that have another status where one operation answers, by operation.
var statusesOf = map[string]map[fault.Code]int{
	"LoginOtp": {fault.InvalidCode: http.StatusUnauthorized},
}

// StatusOf returns the HTTP status that the route answers a code with.
func (r Route) StatusOf(code fault.Code) int {
	if status, other := statusesOf[r.Operation][code]; other {
		return status
	}
	return wire.Status(code)
}

// writeError answers with an error of the route.
func (e *endpoint) writeError(w http.ResponseWriter, r *http.Request, err error) {
	known := fault.From(err)
	wire.WriteErrorStatus(w, r, known, e.StatusOf(known.Code))
}
