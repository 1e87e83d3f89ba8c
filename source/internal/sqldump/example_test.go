package sqldump_test

import (
	"fmt"
	"log"
	"strings"

	"quire/source/internal/sqldump"
)

func Example() {
	r := sqldump.NewReader(strings.NewReader("INSERT INTO target_instance (ti_oid) VALUES (622593);\n"))
	row, err := r.Next()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(row.Table, row.Get("ti_oid"))
	fmt.Println(row.Place("wct.sql"))
	// Output:
	// target_instance 622593
	// row 1 of table TARGET_INSTANCE in wct.sql
}
