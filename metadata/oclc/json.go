package oclc

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// document is the structure of the JSON and YAML forms.
type document struct {
	Standard   string      `json:"standard" yaml:"standard"`
	Statements []statement `json:"statements" yaml:"statements"`
}

type statement struct {
	Element string  `json:"element" yaml:"element"`
	Lang    string  `json:"lang,omitempty" yaml:"lang"`
	Kind    string  `json:"kind,omitempty" yaml:"kind"`
	Value   string  `json:"value" yaml:"value"`
	Bytes   *string `json:"bytes,omitempty" yaml:"bytes"` // base64, if Value is not exact
}

func documentOf(r Record) document {
	d := document{Namespace, make([]statement, 0, len(r))}
	for _, s := range r {
		out := statement{Element: string(s.Element), Lang: s.Lang, Kind: s.Kind}
		var intact bool
		if out.Value, intact = displayForm(s.Value, anything); !intact {
			coded := base64.StdEncoding.EncodeToString([]byte(s.Value))
			out.Bytes = &coded
		}
		d.Statements = append(d.Statements, out)
	}
	return d
}

func (d document) record() (Record, error) {
	if d.Standard != Namespace {
		return nil, fmt.Errorf("oclc: the standard is %.40q, want %q", d.Standard, Namespace)
	}
	var r Record
	for _, s := range d.Statements {
		out := Statement{Element(s.Element), s.Value, s.Lang, s.Kind}
		if s.Bytes != nil {
			var err error
			if out.Value, err = verifyBytes(s.Value, *s.Bytes, anything); err != nil {
				return nil, err
			}
		}
		r = append(r, out)
	}
	return r, nil
}

func writeJSON(out io.Writer, r Record) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(documentOf(r))
}

func readJSON(doc []byte) (Record, error) {
	dec := json.NewDecoder(bytes.NewReader(doc))
	dec.DisallowUnknownFields()
	var d document
	if err := dec.Decode(&d); err != nil {
		return nil, fmt.Errorf("oclc: reading JSON: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("oclc: reading JSON: data after the description")
	}
	return d.record()
}
