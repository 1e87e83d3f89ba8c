package bagit_test

import (
	"context"
	"fmt"
	"log"
	"strings"
	"testing/fstest"

	"quire/format/bagit"
)

// A report lists the errors of a bag.
func Example() {
	root := fstest.MapFS{
		"bagit.txt": {Data: []byte("BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n")},
		"manifest-sha256.txt": {Data: []byte("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  " +
			"data/a.txt\n")},
	}
	// On disk: os.Root.FS, so that no link leads out of the bag.
	report, err := bagit.Validate(context.Background(), root, bagit.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range report.Findings {
		fmt.Println(f)
	}
	fmt.Println(report.Valid())
	// Output:
	// error BAGIT-NO-DATA data: the folder data is missing
	// error BAGIT-MISSING data/a.txt: it is listed, but missing
	// false
}

func ExampleWriteInfo() {
	var tags strings.Builder
	_, err := bagit.WriteDeclaration(&tags) // bagit.txt
	if err != nil {
		log.Fatal(err)
	}
	// bag-info.txt
	err = bagit.WriteInfo(&tags, []bagit.Element{{Label: "Source-Organization", Value: "Example Library"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(tags.String())
	// Output:
	// BagIt-Version: 1.0
	// Tag-File-Character-Encoding: UTF-8
	// Source-Organization: Example Library
}
