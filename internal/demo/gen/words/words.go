// Package words reads the hand-written word lists and articles of the demo shops and fills their templates.
//
// A list file is lines under [section] heads, cells parted by "|". An article file is records parted by a
// line "===": "key: value" lines, an empty line, the body. In both, a line that begins with "#" is a
// comment.
package words

import (
	"fmt"
	"io/fs"
	"strings"
)

// Lists holds the lines of a list file by section.
type Lists map[string][]string

// Row is the cells of one line.
type Row []string

// Article is one record of an article file.
type Article struct {
	Head map[string]string
	Body string
}

// ReadLists reads a list file. A missing file is a mistake of the program.
func ReadLists(files fs.FS, name string) Lists {
	lists := Lists{}
	section := ""
	for line := range strings.Lines(read(files, name)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[' && line[len(line)-1] == ']':
			section = line[1 : len(line)-1]
		default:
			lists[section] = append(lists[section], line)
		}
	}
	return lists
}

// Get is the lines of a section, which must be there.
func (l Lists) Get(section string) []string {
	if len(l[section]) == 0 {
		panic(fmt.Sprintf("no section [%s]", section))
	}
	return l[section]
}

// Rows is the lines of a section cut into cells.
func (l Lists) Rows(section string) []Row {
	var rows []Row
	for _, line := range l.Get(section) {
		rows = append(rows, Cells(line, "|"))
	}
	return rows
}

// Cell is cell i, or "" where the line ends before.
func (r Row) Cell(i int) string {
	if i < len(r) {
		return r[i]
	}
	return ""
}

// Cells cuts a line at sep and trims the pieces.
func Cells(line, sep string) Row {
	cells := strings.Split(line, sep)
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// ReadArticles reads an article file. Lines of a paragraph are joined; an empty line begins a new one.
func ReadArticles(files fs.FS, name string) []Article {
	var articles []Article
	for record := range strings.SplitSeq(read(files, name), "\n===\n") {
		head, body, _ := strings.Cut(strings.TrimSpace(record), "\n\n")
		a := Article{Head: map[string]string{}, Body: paragraphs(body)}
		for line := range strings.Lines(head) {
			if key, value, ok := strings.Cut(line, ":"); ok && line[0] != '#' {
				a.Head[key] = strings.TrimSpace(value)
			}
		}
		articles = append(articles, a)
	}
	return articles
}

func paragraphs(body string) string {
	var out []string
	for p := range strings.SplitSeq(body, "\n\n") {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, strings.Join(strings.Fields(p), " "))
		}
	}
	return strings.Join(out, "\n\n")
}

// Fill puts values into a template: pairs of a name and what replaces {name}.
func Fill(template string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		template = strings.ReplaceAll(template, "{"+pairs[i]+"}", pairs[i+1])
	}
	return template
}

func read(files fs.FS, name string) string {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		panic(err)
	}
	return string(data)
}
