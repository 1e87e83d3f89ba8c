package schematest

import (
	"os"
	"strings"
	"testing"

	"quire/internal/testsamples"
)

// TestValidatorsRefuse checks that both validators refuse a document with a mistake deep in a
// payload. A validator that accepts everything would make every other test green.
func TestValidatorsRefuse(t *testing.T) {
	driver := testsamples.Path(t, "schemas", "drivers", "mets-all.xsd")
	good, err := os.ReadFile(testsamples.Path(t, "schemas", "samples", "mets.xml"))
	if err != nil {
		t.Fatal(err)
	}
	Valid(t, driver, good)
	bad := []byte(strings.Replace(string(good), "premis:eventDateTime>", "premis:eventDate>", 2))
	if InGo(driver, bad) == nil {
		t.Error("jacoelho/xsd accepts an unknown element in an event")
	}
	if err := xmllint(t, driver, bad); err == nil {
		t.Log("xmllint is not installed, or accepts an unknown element in an event")
	}
}
