package search

import (
	"encoding/json"
	"fmt"
	"strconv"

	"quire/access/search/extract"
)

// grouped is an answer of Solr with groups.
type grouped struct {
	Grouped map[string]groups
	Facets  map[string]json.RawMessage
}

type groups struct {
	Groups []struct {
		Value   string `json:"groupValue"`
		Doclist struct {
			NumFound int
			Docs     []solrDocument
		}
	}
}

func (g *grouped) of(field string) groups { return g.Grouped[field] }

// facet decodes a part of the facets. It is empty if nothing matches.
func (g *grouped) facet(name string, to any) error {
	text, ok := g.Facets[name]
	if !ok {
		return nil
	}
	if err := json.Unmarshal(text, to); err != nil {
		return fmt.Errorf("the answer of Solr: facet %s: %w", name, err)
	}
	return nil
}

// solrDocument is a capture in an answer of Solr.
type solrDocument struct {
	ID       string  `json:"id"`
	URL      string  `json:"url"`
	Time     int64   `json:"quire_time"`
	Package  string  `json:"quire_package"`
	Payload  string  `json:"quire_payload"`
	Page     string  `json:"quire_page"`
	Key      string  `json:"quire_key"`
	Host     string  `json:"quire_host"`
	Type     string  `json:"quire_type"`
	Language string  `json:"quire_language"`
	Size     int64   `json:"quire_size"`
	Again    int     `json:"quire_again"`
	Text     string  `json:"quire_text"`
	Score    float64 `json:"score"`
}

// buckets are the values of a facet.
type buckets struct {
	Buckets    []bucket
	NumBuckets int
}

type bucket struct {
	Val   any
	Count int // captures
	N     int // hits
}

// value returns the value as text: Solr returns numbers for fields of numbers.
func (b *bucket) value() string {
	if n, ok := b.Val.(float64); ok {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	s, _ := b.Val.(string)
	return s
}

func decodeText(s string) (*extract.Text, error) {
	var t extract.Text
	if err := json.Unmarshal([]byte(s), &t); err != nil {
		return nil, fmt.Errorf("a text in Solr: %w", err)
	}
	return &t, nil
}
