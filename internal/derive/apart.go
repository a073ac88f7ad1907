package derive

import (
	"context"
	"encoding/json"
	"fmt"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/internal/database"
)

// TitlesApart is the migration of products and variants whose search_text has two titles in one piece, as SearchText made
// it once, so that the English one had no beginning. What is sorted by stays as it is.
func TitlesApart(dialectName string) database.Step {
	return database.Step{Name: "titles-apart", Run: func(ctx context.Context, tx dialect.Tx) error {
		var last uuid.UUID
		for {
			texts, err := inOnePiece(ctx, tx, dialectName, last)
			if err != nil {
				return fmt.Errorf("read titles: %w", err)
			}
			if len(texts) == 0 {
				break
			}
			list, err := json.Marshal(texts)
			if err != nil {
				return err
			}
			if err := tx.Exec(ctx, setTexts[dialectName], []any{string(list)}, nil); err != nil {
				return fmt.Errorf("write titles: %w", err)
			}
			last = texts[len(texts)-1].ID
		}
		if err := tx.Exec(ctx, variantsApart, []any{}, nil); err != nil {
			return fmt.Errorf("write variants: %w", err)
		}
		return nil
	}}
}

// searchText is the search_text that a product is to have.
type searchText struct {
	ID   uuid.UUID `json:"id"`
	Text string    `json:"text"`
}

// inOnePiece returns some of the products behind an id whose titles do not stand apart; none when there are no more.
func inOnePiece(ctx context.Context, tx dialect.Tx, dialectName string, last uuid.UUID) (texts []searchText, err error) {
	build := entsql.Dialect(dialectName)
	query, args := build.Select("id", "title_fa", "title_en").From(build.Table("products")).Where(entsql.And(
		entsql.GT("id", last), entsql.NEQ("title_en", ""), entsql.Not(entsql.Contains("search_text", " ")),
	)).OrderBy("id").Limit(500).Query()
	var rows entsql.Rows
	if err := tx.Query(ctx, query, args, &rows); err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var one searchText
		var titleFa, titleEn string
		if err := rows.Scan(&one.ID, &titleFa, &titleEn); err != nil {
			return nil, err
		}
		one.Text = SearchText(titleFa, titleEn)
		texts = append(texts, one)
	}
	return texts, rows.Err()
}

// setTexts sets the search_text of products in a list of searchText.
var setTexts = map[string]string{
	dialect.SQLite: `UPDATE products SET search_text = w.value ->> 'text' FROM json_each(?) AS w
		WHERE products.id = w.value ->> 'id'`,
	dialect.Postgres: `UPDATE products SET search_text = w.text FROM json_to_recordset($1::json) AS w(id uuid, text text)
		WHERE products.id = w.id`,
}

// variantsApart gives variants the text of their product. One that is written meanwhile has its own, see VariantText.
const variantsApart = `UPDATE variants SET search_text = p.search_text || ' ' || variants.sku_text FROM products AS p
	WHERE p.id = variants.product_id AND p.search_text LIKE '% %' AND
	variants.search_text = REPLACE(p.search_text, ' ', '') || ' ' || variants.sku_text`
