package isolation

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

type kind int

const (
	word     kind = iota // a keyword or a name, in lower case
	name                 // a quoted name
	constant             // a text or a parameter
	number
	sign // operators and punctuation
)

// token is a part of a statement. Those of an opening parenthesis and of CASE know where they close.
type token struct {
	kind  kind
	text  string
	close int // index of the token that closes this one; 0: it opens nothing
}

// split cuts a statement of either kind of database into tokens.
func split(text string) ([]token, error) {
	var tokens []token
	var open []int // indexes of what is not closed yet
	for i := 0; i < len(text); {
		t, length, err := first(text[i:])
		if err != nil {
			return nil, err
		}
		i += length
		switch {
		case t.text == "" && t.kind == sign: // a space or a comment
			continue
		case t.kind == sign && t.text == "(", t.kind == word && t.text == "case":
			open = append(open, len(tokens))
		case t.kind == sign && t.text == ")", t.kind == word && t.text == "end":
			if len(open) == 0 || (t.text == ")") != (tokens[open[len(open)-1]].text == "(") {
				return nil, fmt.Errorf("%q closes nothing", t.text)
			}
			tokens[open[len(open)-1]].close = len(tokens)
			open = open[:len(open)-1]
		}
		tokens = append(tokens, t)
	}
	if len(open) > 0 {
		return nil, fmt.Errorf("%q is not closed", tokens[open[0]].text)
	}
	return tokens, nil
}

// first returns the first token of a text and its length. A space or a comment is a sign without text.
func first(text string) (token, int, error) {
	c, size := utf8.DecodeRuneInString(text)
	switch {
	case unicode.IsSpace(c):
		return token{kind: sign}, size, nil
	case strings.HasPrefix(text, "--"):
		line, _, _ := strings.Cut(text, "\n")
		return token{kind: sign}, len(line), nil
	case strings.HasPrefix(text, "/*"):
		end := strings.Index(text, "*/")
		if end < 0 {
			return token{}, 0, fmt.Errorf("a comment does not end")
		}
		return token{kind: sign}, end + 2, nil
	case c == '\'', c == '"', c == '`':
		end, inside := 1, ""
		for {
			length := strings.IndexRune(text[end:], c)
			if length < 0 {
				return token{}, 0, fmt.Errorf("%q is not closed", c)
			}
			inside += text[end : end+length]
			end += length + 1
			if end == len(text) || rune(text[end]) != c { // twice stands for itself
				break
			}
			inside += string(c)
			end++
		}
		if c == '\'' {
			return token{kind: constant, text: inside}, end, nil
		}
		return token{kind: name, text: inside}, end, nil
	case c == '$' || c == '?':
		end := 1
		for end < len(text) && isLetter(rune(text[end])) {
			end++
		}
		if c == '$' && end == 1 || end < len(text) && text[end] == '$' {
			return token{}, 0, fmt.Errorf("a text between dollars")
		}
		return token{kind: constant, text: text[:end]}, end, nil
	case unicode.IsDigit(c):
		end := 1
		for end < len(text) && (isLetter(rune(text[end])) || text[end] == '.') {
			end++
		}
		return token{kind: number, text: text[:end]}, end, nil
	case isLetter(c):
		end := strings.IndexFunc(text, func(c rune) bool { return !isLetter(c) })
		if end < 0 {
			end = len(text)
		}
		return token{kind: word, text: strings.ToLower(text[:end])}, end, nil
	}
	for _, long := range []string{"->>", "::", "->", "<=", ">=", "<>", "!=", "||", "==", "@>", "<@", "#>", "&&"} {
		if strings.HasPrefix(text, long) {
			return token{kind: sign, text: long}, len(long), nil
		}
	}
	return token{kind: sign, text: text[:size]}, size, nil
}

func isLetter(c rune) bool { return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) }
