package warcbuild_test

import (
	"fmt"
	"io"
	"log"
	"os"

	"quire/format/warc"
	"quire/internal/blockbuffer"
	"quire/internal/warcbuild"
)

func ExampleRecordID() {
	block := blockbuffer.Buffer{}
	defer block.Close()
	_, err := io.WriteString(&block, "content") // digested during the copy
	if err != nil {
		log.Fatal(err)
	}
	fields := []warc.NameValue{{Name: "WARC-Type", Value: "resource"}}
	fmt.Println(warcbuild.RecordID(fields)) // the same fields, the same id
	_, err = io.Copy(os.Stdout, block.Reader())
	if err != nil {
		log.Fatal(err)
	}
}
