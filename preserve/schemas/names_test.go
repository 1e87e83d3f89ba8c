package schemas

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jacoelho/xsd"
)

// As plain names, IDs need not be unique and references need no target. All other checks are
// unchanged, also in schemas that others import and include.
func TestCompileNames(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"catalog.xml": `<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog"><uri ` +
			`name="http://a.org/types.xsd" uri="places/types.xsd"/></catalog>`,
		"drivers/d.xsd": `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:t="t">
			<xs:import namespace="t" schemaLocation="http://a.org/types.xsd"/><xs:include ` +
			`schemaLocation="../beside/root.xsd"/></xs:schema>`,
		"beside/root.xsd": `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:t="t"><xs:import ` +
			`namespace="t" schemaLocation="http://a.org/types.xsd"/>
			<xs:element name="all"><xs:complexType><xs:sequence><xs:element name="one" maxOccurs="9"><xs:complexType>
			<xs:attribute name="id" type="xs:ID" use="required"/><xs:attribute name="ref" type="t:ref"/>` +
			`<xs:attribute name="refs" type="xs:IDREFS"/>
			</xs:complexType></xs:element></xs:sequence></xs:complexType></xs:element></xs:schema>`,
		"places/types.xsd": `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" targetNamespace="t">
			<xsd:simpleType name="ref"><xsd:restriction base="xsd:IDREF"/></xsd:simpleType></xsd:schema>`,
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		inside         string
		exactly, names bool // valid
	}{
		{`<one id="a"/><one id="b" ref="a" refs="a b"/>`, true, true},
		{`<one id="a"/><one id="a"/>`, false, true},
		{`<one id="a" ref="b"/>`, false, true},
		{`<one id="a" refs="b c"/>`, false, true},
		{`<one id="1"/>`, false, false},
		{`<one id="a" ref="1"/>`, false, false},
		{`<one/>`, false, false},
		{`<two id="a"/>`, false, false},
	} {
		for name, want := range map[string]bool{"exactly": c.exactly, "names": c.names} {
			compile := map[string]func(context.Context, string, string) (*xsd.Engine, error){"exactly": Compile,
				"names": CompileNames}[name]
			engine, err := compile(t.Context(), dir, "drivers/d.xsd")
			if err != nil {
				t.Fatal(err)
			}
			if err := engine.Validate(t.Context(), strings.NewReader("<all>"+c.inside+"</all>")); (err == nil) != want {
				t.Errorf("%s, %s: %v", c.inside, name, err)
			}
		}
	}
}
