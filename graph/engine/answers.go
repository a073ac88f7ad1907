package engine

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"storefront/internal/catalog/answercache"
	"storefront/internal/platform/wire"
	"storefront/internal/request"
)

// publicAnswer returns the kept answer to a public read, or computes it.
func (e *Engine) publicAnswer(ctx context.Context, call Call, variables map[string]any) Result {
	var computed Result
	inLanguage := ""
	if call.Operation.DependsOnLanguage(variables) {
		inLanguage = string(request.Language(ctx).Language())
	}
	gzip := wire.AcceptsGzip(call.Request.Header)
	compute := func(ctx context.Context) (answer answercache.Answer, keep bool) {
		ran, data, errs := e.run(ctx, call.Operation, variables, nil)
		if len(errs) > 0 {
			computed = Result{Data: data, Errors: errs}
			return answer, false
		}
		body := call.Finish(data, inLanguage)
		if gzip {
			body = body.Gzipped()
		}
		computed.Public = body
		if e.Answers == nil || request.Language(ctx).Said() { // messages depend on the reader's language
			return answer, false
		}
		answer, keep = e.Sources(ran)
		answer.Body = body
		return answer, keep
	}
	key, ok := call.key(variables, inLanguage)
	if !ok || e.Answers == nil {
		compute(ctx)
		return computed
	}
	asked := answercache.Asked{Key: key, Gzip: gzip, Now: e.Clock, Compute: compute}
	kept, left := e.Answers.Give(ctx, asked)
	switch {
	case left: // the cached computation is another request's
		return Refused(asFault(ctx.Err()))
	case kept.Body != nil:
		for _, source := range kept.Sources {
			if source.Tenant != uuid.Nil {
				request.Of(ctx).Note.For(source.Domain)
			}
		}
		return Result{Public: kept.Body, kept: true}
	}
	return computed
}

// key returns a cache key that is different for calls with different answers. inLanguage is the language of
// Accept-Language if the answer depends on it. key reports false for values of unknown types.
func (call Call) key(variables map[string]any, inLanguage string) (string, bool) {
	key := append(make([]byte, 0, 256), call.Name...)
	key = append(append(key, inLanguage...), ';')
	ok := true
	for _, v := range call.Operation.Definition.VariableDefinitions {
		value, given := variables[v.Variable]
		if !given {
			value, given = call.Operation.Default(v.Variable)
		}
		if !given {
			key = append(key, '-')
			continue
		}
		if key, ok = appendValue(key, value); !ok {
			return "", false
		}
	}
	return string(key), true
}

// appendValue appends a value that Operation.Read has read. The encoding of no value is a prefix of another
// one's.
func appendValue(key []byte, value any) (_ []byte, ok bool) {
	switch v := value.(type) {
	case nil:
		return append(key, 'n'), true
	case bool:
		return strconv.AppendBool(key, v), true
	case int64:
		return append(strconv.AppendInt(append(key, 'i'), v, 10), ';'), true
	case json.Number:
		return appendText(append(key, 'd'), string(v)), true
	case string:
		return appendText(append(key, 's'), v), true
	case []any:
		key = append(strconv.AppendInt(append(key, 'l'), int64(len(v)), 10), ';')
		for _, item := range v {
			if key, ok = appendValue(key, item); !ok {
				return nil, false
			}
		}
		return key, true
	case map[string]any:
		return appendObject(key, v)
	}
	return nil, false
}

func appendObject(key []byte, object map[string]any) (_ []byte, ok bool) {
	key = append(strconv.AppendInt(append(key, 'o'), int64(len(object)), 10), ';')
	for _, name := range slices.Sorted(maps.Keys(object)) {
		key = appendText(key, name)
		if key, ok = appendValue(key, object[name]); !ok {
			return nil, false
		}
	}
	return key, true
}

func appendText(key []byte, text string) []byte {
	key = append(strconv.AppendInt(key, int64(len(text)), 10), ':')
	return append(key, text...)
}
