package nas

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"quire/model"
	"quire/source/internal/facts"
	"quire/source/internal/xmltree"
)

// maxInfo is the maximum size of a harvestInfo.xml in bytes, and maxInfoFields is the maximum
// number of its elements. Real files have some 600 bytes and twenty elements.
const (
	maxInfo       = 1 << 20
	maxInfoFields = 200
)

var (
	errNotInfo   = errors.New("it is not a harvestInfo")
	errInfoLarge = errors.New("it has too many elements for a harvestInfo")
)

// parseInfo parses a harvestInfo.xml of versions 0.1 to 0.6 into a list of fields, with or without
// the namespace of the National Library of France.
func parseInfo(r io.Reader) ([]model.Field, error) {
	root, err := xmltree.Parse(io.LimitReader(r, maxInfo))
	if err != nil {
		return nil, err
	}
	if root.Name != "harvestInfo" {
		return nil, errNotInfo
	}
	if len(root.Children) > maxInfoFields {
		return nil, errInfoLarge
	}
	var fields []model.Field
	for _, n := range root.Children {
		fields = append(fields, model.Field{Name: n.Name, Value: n.Value()})
	}
	return fields, nil
}

// infoPrefix is the prefix of the same fields in the warcinfo of a container.
const infoPrefix = "harvestInfo."

// infoOf returns the harvestInfo fields of a warcinfo, without the prefix in their names.
func infoOf(fields []model.Field) []model.Field {
	var info []model.Field
	for _, f := range fields {
		if name, ok := strings.CutPrefix(f.Name, infoPrefix); ok {
			info = append(info, model.Field{Name: name, Value: strings.TrimSpace(f.Value)})
		}
	}
	return info
}

// value returns the first field with one of these names.
func value(fields []model.Field, names ...string) string {
	for _, name := range names {
		for _, f := range fields {
			if f.Name == name && f.Value != "" {
				return f.Value
			}
		}
	}
	return ""
}

// infoFacts are the fields without a place in the model, with their names as evidence. A field that
// versions renamed is one fact.
var infoFacts = map[string]string{
	"version": "harvestInfo version", "priority": "channel", "channel": "channel", "harvestNum": "harvest number",
	"origHarvestDefinitionID": "harvest definition", "orderXMLName": "template", "templateName": "template",
	"templateLastUpdateDate": "template updated", "templateDescription": "template description",
	"scheduleName":          "schedule",
	"harvestFilenamePrefix": "file name prefix", "jobSubmitDate": "job submitted", "audience": "audience",
	"dataPath": "crawl folder",
}

// tellInfo adds the facts of a harvestInfo. at returns the place of a field.
func tellInfo(f *facts.Facts, fields []model.Field, at func(field string) string) {
	about := f.About
	for _, v := range fields {
		if v.Value == "" {
			continue
		}
		place := at(v.Name)
		switch v.Name {
		case "jobId":
			f.Set(&about.ID, "job", number(v.Value), place)
		case "origHarvestDefinitionName":
			f.Set(&about.Collection, "collection", v.Value, place)
		case "origHarvestDefinitionComments":
			f.Set(&about.Note, "note", v.Value, place)
		case "maxBytesPerDomain", "maxObjectsPerDomain":
			limit(f, v, place)
		case "operator":
			f.Set(&about.Operator, "operator", v.Value, place)
		case "performer": // added below, because an operator takes precedence
		default:
			fact, known := infoFacts[v.Name]
			if !known {
				fact = "harvestInfo " + fmt.Sprintf("%.100s", v.Name)
			}
			f.Note(fact, dated(v), place)
		}
	}
	switch performer := value(fields, "performer"); performer {
	case "":
	case "undefined": // a default of the settings, not a name
		f.Note("performer", "not told: undefined", at("performer"))
	default:
		f.Set(&about.Operator, "operator", performer, at("performer"))
	}
}

// limit adds the limit for each domain; -1 means no limit.
func limit(f *facts.Facts, v model.Field, place string) {
	if v.Value == "-1" {
		f.Note("limit", v.Name+" is not limited (-1)", place)
		return
	}
	f.Limit(v.Name, v.Value, place)
}

// dated returns a date unchanged if it is in the standard form, and marks it otherwise.
func dated(v model.Field) string {
	if !strings.HasSuffix(v.Name, "Date") {
		return v.Value
	}
	if _, err := time.Parse(time.RFC3339, v.Value); err != nil {
		return v.Value + " (as written)"
	}
	return v.Value
}
