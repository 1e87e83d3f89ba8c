package sqlite_test

import (
	"context"
	"database/sql"
	"log"

	"quire/internal/sqlite"
)

func Example() {
	ctx := context.Background()
	db, err := sqlite.Open("REPO/catalogue.db",
		sqlite.Options{Pragmas: []string{"journal_mode(WAL)", "synchronous(FULL)"}, Immediate: true})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	err = sqlite.InTx(ctx, db, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM packages WHERE id = ?", "urn:uuid:1")
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
}

func ExampleRemove() {
	if err := sqlite.Remove("cache.db"); err != nil { // a damaged cache can be made again
		log.Fatal(err)
	}
}
