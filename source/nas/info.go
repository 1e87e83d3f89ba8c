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

// maxInfo bounds a harvestInfo.xml, in bytes, and maxInfoFields its elements. Real ones have some
// 600, and twenty.
const (
	maxInfo       = 1 << 20
	maxInfoFields = 200
)

var (
	errNotInfo   = errors.New("it is no harvestInfo")
	errInfoLarge = errors.New("it has more elements than any harvestInfo")
)

// parseInfo reads a harvestInfo.xml of versions 0.1 to 0.6 as a list of fields, with or without the
// namespace that the National Library of France gave it.
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

// infoPrefix stands before the same fields in the warcinfo of a container.
const infoPrefix = "harvestInfo."

// infoOf takes the fields of a harvestInfo out of those of a warcinfo.
func infoOf(fields []model.Field) []model.Field {
	var info []model.Field
	for _, f := range fields {
		if name, ok := strings.CutPrefix(f.Name, infoPrefix); ok {
			info = append(info, model.Field{Name: name, Value: strings.TrimSpace(f.Value)})
		}
	}
	return info
}

// value gives the first field of one of these names.
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

// infoFacts are the fields that the model has no place for, and what they are called as evidence.
// What was renamed from one version to another is one fact.
var infoFacts = map[string]string{
	"version": "harvestInfo version", "priority": "channel", "channel": "channel", "harvestNum": "harvest number",
	"origHarvestDefinitionID": "harvest definition", "orderXMLName": "template", "templateName": "template",
	"templateLastUpdateDate": "template updated", "templateDescription": "template description",
	"scheduleName":          "schedule",
	"harvestFilenamePrefix": "file name prefix", "jobSubmitDate": "job submitted", "audience": "audience",
	"dataPath": "crawl folder",
}

// tellInfo takes over what a harvestInfo says. at names the place of a field.
func tellInfo(f *facts.Facts, fields []model.Field, at func(field string) string) {
	about := f.About
	for _, v := range fields {
		if v.Value == "" {
			continue
		}
		place := at(v.Name)
		switch v.Name {
		case "jobId":
			f.Tell(&about.ID, "job", number(v.Value), place)
		case "origHarvestDefinitionName":
			f.Tell(&about.Collection, "collection", v.Value, place)
		case "origHarvestDefinitionComments":
			f.Tell(&about.Note, "note", v.Value, place)
		case "maxBytesPerDomain", "maxObjectsPerDomain":
			limit(f, v, place)
		case "operator":
			f.Tell(&about.Operator, "operator", v.Value, place)
		case "performer": // told below, since an operator comes first
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
	case "undefined": // a default of the settings, and nobody's name
		f.Note("performer", "not told: undefined", at("performer"))
	default:
		f.Tell(&about.Operator, "operator", performer, at("performer"))
	}
}

// limit takes over how much of each domain was wanted; -1 stands for all.
func limit(f *facts.Facts, v model.Field, place string) {
	if v.Value == "-1" {
		f.Note("limit", v.Name+" is not limited (-1)", place)
		return
	}
	f.Limit(v.Name, v.Value, place)
}

// dated leaves a date as it is written when it is one that everybody reads, and says so when it is
// not.
func dated(v model.Field) string {
	if !strings.HasSuffix(v.Name, "Date") {
		return v.Value
	}
	if _, err := time.Parse(time.RFC3339, v.Value); err != nil {
		return v.Value + " (as written)"
	}
	return v.Value
}
