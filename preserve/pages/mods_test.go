package pages

import (
	"bytes"
	"strings"
	"testing"

	"quire/metadata/mods"
	"quire/metadata/xmlstream"
)

// TestMODS checks that every declaration appears once and is marked.
func TestMODS(t *testing.T) {
	d,
		_ := read(t,
		`<html lang="de-CH"><meta charset=utf-8><title>T</title><meta name=author content="A. Utor"><meta `+
			`name=Keywords content="a, b">
		<meta property="og:title" content="OG"><meta name="DC.Date.Created" content="2001"><meta `+
			`name=generator content="hand">
		<meta http-equiv=content-language content=de-ch><meta name=description content="  "><meta `+
			`name=DC.Subject scheme=LCSH content=Boats><base href="/x">`, 99, Options{})
	var out bytes.Buffer
	x := xmlstream.NewWriter(&out, xmlstream.Options{})
	if err := mods.Write(x, d.MODS("http://a.test/100%")); err != nil {
		t.Fatal(err)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<mods:titleInfo><mods:title>T</mods:title></mods:titleInfo>",
		`<mods:titleInfo type="alternative" displayLabel="og-title"><mods:title>OG</mods:title>`,
		`<mods:note type="scheme" displayLabel="DC.Subject">LCSH</mods:note>`, "<mods:topic>Boats</mods:topic>",
		`<mods:note type="base">/x</mods:note>`,
		`<mods:note type="language" displayLabel="meta content-language">de-ch</mods:note>`,
		"<mods:namePart>A. Utor</mods:namePart>", "<mods:topic>a</mods:topic>", "<mods:topic>b</mods:topic>",
		`<mods:originInfo eventType="created"><mods:dateCreated>2001</mods:dateCreated>`,
		`<mods:note type="name" displayLabel="generator">hand</mods:note>`,
		`<mods:note type="name" displayLabel="description">  </mods:note>`,
		`<mods:identifier type="uri">http://a.test/100%</mods:identifier>`,
		`<mods:note type="charset">utf-8 (meta: utf-8)</mods:note>`,
		"<mods:recordOrigin>declared by the page itself</mods:recordOrigin>",
		">de-CH</mods:languageTerm>",
	} {
		if strings.Count(out.String(), want) != 1 {
			t.Errorf("%d times %s in %s", strings.Count(out.String(), want), want, &out)
		}
	}
	if strings.Count(out.String(), "languageTerm ") != 1 {
		t.Errorf("a language is there twice: %s", &out)
	}
}
