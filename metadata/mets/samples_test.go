package mets_test

import (
	"quire/metadata/containermd"
	"quire/metadata/dc"
	"quire/metadata/mods"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
)

// The payloads of the sample document: every field set, with odd strings wherever the caller can
// set one.

func sampleMODS(odd string) mods.Record {
	term := mods.Term{Text: odd, Authority: odd, AuthorityURI: "urn:a", ValueURI: "urn:v", Lang: "en"}
	code := mods.Term{Text: "eng", Type: "code", Authority: "iso639-2b"}
	note := mods.Note{Text: odd, Type: odd, Label: odd, Lang: "de", Href: "urn:note"}
	typed := term
	typed.Type = odd
	date := mods.Date{Text: odd, Encoding: "edtf", Point: "start", Qualifier: "inferred", Key: true}
	issued := date
	issued.Kind = "dateIssued"
	c := mods.Content{
		Titles: []mods.Title{{Title: odd, Type: "uniform", Label: odd, Lang: "en", NonSort: "The ", SubTitle: odd,
			PartNumber: "1", PartName: odd}, {Title: "second"}},
		Names: []mods.Name{{Type: "corporate", Authority: odd, AuthorityURI: "urn:a", ValueURI: "urn:v",
			Parts: []mods.NamePart{{Type: "family", Text: odd}, {Text: odd}}, DisplayForm: odd,
			Affiliations: []string{odd},
			Roles:        []mods.Role{mods.Marc("collector"), {Terms: []mods.Term{code, code}}},
			Descriptions: []string{odd},
			Identifiers:  []mods.Identifier{{Text: odd, Type: "viaf"}}}},
		Types: []mods.Term{term}, Genres: []mods.Term{typed, mods.Text("Web archives")},
		Origins: []mods.Origin{mods.Captured(first, last), {EventType: odd, EventTypeURI: "urn:e", Label: odd,
			Places: []mods.Term{code}, Publishers: []string{odd}, Dates: []mods.Date{issued}, Edition: odd,
			Issuance: "integrating resource", Frequency: odd}},
		Languages: []mods.Language{{Terms: []mods.Term{code}, Scripts: []mods.Term{code}}},
		Physical: []mods.Physical{{Forms: []mods.Term{typed}, MediaTypes: []string{odd},
			Extents:       []string{odd, "6 records"},
			DigitalOrigin: "born digital", Notes: []mods.Note{note}}},
		Abstracts: []mods.Note{note}, TableOfContents: []mods.Note{note}, Notes: []mods.Note{note, {Text: odd}},
		Subjects: []mods.Subject{{Authority: odd, AuthorityURI: "urn:a", ValueURI: "urn:v", Topics: []mods.Term{term},
			Geographics: []mods.Term{term}, Temporals: []mods.Term{{Text: odd}}, Genres: []mods.Term{typed}}},
		Identifiers: []mods.Identifier{{Text: odd, Type: "uri", Label: odd, Invalid: true}},
		Locations: []mods.Location{{Physical: []mods.Term{typed}, ShelfLocators: []string{odd},
			URLs: []mods.URL{{Text: "http://example.org/a?b=c", Label: odd, Usage: "primary",
				Access: "object in context",
				Note:   odd, LastAccessed: odd}}}},
		Access: []mods.Note{note},
		RecordInfo: []mods.RecordInfo{{Sources: []mods.Term{term}, Created: []mods.Date{date},
			Changed:     []mods.Date{date},
			Identifiers: []mods.RecordIdentifier{{Text: odd, Source: odd}},
			Languages:   []mods.Language{{Terms: []mods.Term{code}}},
			Origins:     []string{odd}, Standards: []mods.Term{term}, Notes: []mods.Note{note}}},
	}
	related := mods.RelatedItem{Type: "host", OtherType: odd, Label: odd, Href: "urn:host",
		Content: mods.Content{Titles: []mods.Title{{Title: odd}}, Related: []mods.RelatedItem{{Type: "series"}}}}
	c.Related = []mods.RelatedItem{related, {Type: "preceding"}}
	return mods.Record{ID: "MODS1", Content: c}
}

func sampleObject(odd string) premis.Object {
	term := premis.Term{Text: odd, Authority: odd, AuthorityURI: "urn:a", ValueURI: "urn:v"}
	id := premis.Identifier{Type: odd, Value: odd}
	return premis.Object{
		Category: premis.File, XMLID: "OBJ1", Identifiers: []premis.Identifier{id, {Type: "UUID", Value: "1"}},
		PreservationLevels: []premis.PreservationLevel{{Type: term, Value: term, Role: term, Rationales: []string{odd},
			DateAssigned: odd}},
		SignificantProperties: []premis.Property{{Type: term, Value: odd}},
		Characteristics: []premis.Characteristics{{
			CompositionLevel: xmlstream.IntOf(1),
			Fixity: []premis.Fixity{{Algorithm: premis.HashFunction("SHA-512"), Digest: odd, Originator: term},
				{Algorithm: premis.HashFunction("CRC32"), Digest: "0"}},
			Size: xmlstream.IntOf(2975),
			Formats: []premis.Format{
				{Name: term, Version: odd, Registry: premis.Registry{Name: term, Key: term, Role: term},
					Notes: []string{odd}},
				{Registry: premis.Registry{Name: premis.Text("PRONOM"), Key: premis.Text("fmt/289")}}},
			Applications: []premis.Application{{Name: term, Version: odd, Date: odd}, {Version: odd}, {Date: odd}},
			Inhibitors:   []premis.Inhibitor{{Type: term, Targets: []premis.Term{term}, Key: odd}},
			Extension: func(x *xmlstream.Writer) error {
				return containermd.Write(x,
					containermd.ContainerMD{Container: containermd.Container{OriginalName: odd}},
					containermd.Options{})
			},
		}},
		OriginalName: odd,
		Storage:      []premis.Storage{{Location: id, Medium: term}, {Medium: term}},
		Relationships: []premis.Relationship{{Type: premis.RelationshipType("structural"),
			SubType: premis.RelationshipSubType("is included in"),
			Objects: []premis.RelatedObject{{Identifier: id, Sequence: xmlstream.IntOf(0), XMLID: "OBJ2"}},
			Events:  []premis.RelatedEvent{{Identifier: id, Sequence: xmlstream.IntOf(2), XMLID: "EV1"}}}},
		Events: []premis.Link{{Identifier: id, XMLID: "EV1"}},
		Rights: []premis.Link{{Identifier: id}},
	}
}

func sampleEntity(odd string) premis.Object {
	term := premis.Text(odd)
	return premis.Object{
		Category: premis.IntellectualEntity, XMLID: "OBJ2",
		Identifiers:  []premis.Identifier{{Type: "local", Value: odd}},
		OriginalName: odd,
		Environment: &premis.Environment{
			Functions: []premis.EnvironmentFunction{{Type: term, Level: odd}},
			Designations: []premis.EnvironmentDesignation{{Name: term, Version: odd, Origin: odd,
				Notes: []string{odd}}},
			Registries: []premis.Registry{{Name: term, Key: term, Role: term}},
		},
	}
}

func sampleEvent(odd string) premis.Event {
	id := premis.Identifier{Type: odd, Value: odd}
	return premis.Event{
		XMLID: "EV1", Identifier: id, Type: premis.EventType("capture"), DateTime: premis.Span(first, last),
		Details: []string{odd, ""},
		Outcomes: []premis.Outcome{{Outcome: premis.EventOutcome("success"), Notes: []string{odd, "2"}},
			{Notes: []string{odd}}},
		Agents: []premis.Link{{Identifier: id,
			Roles: []premis.Term{premis.AgentRole("executing program"), premis.Text(odd)},
			XMLID: "AG1"}},
		Objects: []premis.Link{{Identifier: id, Roles: []premis.Term{premis.ObjectRole("outcome")}, XMLID: "OBJ1"}},
	}
}

func sampleAgent(odd string) premis.Agent {
	id := premis.Identifier{Type: odd, Value: odd}
	return premis.Agent{
		XMLID: "AG1", Identifiers: []premis.Identifier{id}, Names: []premis.Term{premis.Text(odd)},
		Type: premis.AgentType("software"), Version: odd, Notes: []string{odd},
		Events: []premis.Link{{Identifier: id, XMLID: "EV1"}}, Rights: []premis.Link{{Identifier: id}},
	}
}

func sampleRights(odd string) premis.Rights {
	id := premis.Identifier{Type: odd, Value: odd}
	term := premis.Text(odd)
	docs := []premis.Document{{Identifier: id, Role: term}}
	when := premis.Dates{Start: odd, End: odd}
	grant := premis.Grant{Act: term, Restrictions: []premis.Term{term}, TermOfGrant: when,
		TermOfRestriction: premis.Dates{Start: odd}, Notes: []string{odd}}
	return premis.Rights{XMLID: "RI1", Statements: []premis.Statement{
		{Identifier: id, Basis: premis.RightsBasis("copyright"),
			Copyright: &premis.Copyright{Status: term, Jurisdiction: term, Determined: odd, Notes: []string{odd},
				Documents: docs, Applies: when},
			Granted: []premis.Grant{grant, {Act: term}}, Objects: []premis.Link{{Identifier: id}},
			Agents: []premis.Link{{Identifier: id, Roles: []premis.Term{term}}}},
		{Identifier: id, Basis: premis.RightsBasis("license"),
			License: &premis.License{Documents: docs, Terms: odd, Notes: []string{odd}, Applies: when}},
		{Identifier: id, Basis: premis.RightsBasis("statute"), Statutes: []premis.Statute{{Jurisdiction: term,
			Citation: term, Determined: odd, Notes: []string{odd}, Documents: docs, Applies: when}}},
		{Identifier: id, Basis: premis.RightsBasis("other"), Other: &premis.OtherRights{Documents: docs, Basis: term,
			Applies: when, Notes: []string{odd}}},
	}}
}

func sampleContainerMD(odd string) containermd.ContainerMD {
	yes := true
	md := func(id string) containermd.MDSec {
		return containermd.MDSec{ID: id, MDType: "OTHER", OtherMDType: odd, MDTypeVersion: "1",
			Payload: func(x *xmlstream.Writer) error { return dc.Write(x, dc.Record{{Element: dc.Title, Value: odd}}) }}
	}
	fixity := []containermd.Fixity{{Digest: odd, Algorithm: "SHA-512", Size: xmlstream.IntOf(2975)}}
	formats := []containermd.FormatDesignation{{Names: []string{odd, "application/warc"}, Version: odd}}
	encodings := []containermd.Encoding{{Type: "compression", Method: odd, Order: xmlstream.IntOf(1),
		OriginalSize: xmlstream.IntOf(4285)}}
	arcMD := md("CMD1")
	return containermd.ContainerMD{
		Container: containermd.Container{
			ID: "C1", Created: first, Modified: last, Fixity: fixity, OriginalName: odd, Formats: formats,
			Encodings: encodings,
			Environments: []containermd.Environment{{Platforms: []string{odd},
				Software: []containermd.Software{{Name: odd, Version: odd}}}},
			Assessment: &containermd.Assessment{AgentName: odd, AgentVersion: odd, Outcome: odd, Notes: []string{odd}},
			ARC: &containermd.ARCContainer{FileName: odd, IPAddress: odd, Created: first, Profile: odd, OriginCode: odd,
				VersionBlockPayload: &yes, Metadata: &arcMD},
		},
		Information: sampleInformation(odd, encodings),
		Entries: []containermd.Entry{{ID: "E1", Order: 1, Type: "file", Name: odd, Begin: xmlstream.IntOf(0),
			End: xmlstream.IntOf(9), Created: first, Modified: last, Fixity: fixity, Formats: formats,
			Encodings:   encodings,
			Permissions: []containermd.Permission{{Mode: odd, Owners: []string{odd}, Groups: []string{odd, "2"}}},
			ARC: &containermd.ARCEntry{DeclaredMIMEType: odd, Host: odd,
				Response: &containermd.Response{Status: odd, ProtocolName: odd, ProtocolVersion: odd}},
			Metadata: []containermd.MDSec{md("CMD2")}}},
	}
}

func sampleInformation(odd string, encodings []containermd.Encoding) *containermd.Information {
	sums := containermd.Sums{Number: 6, MinimumSize: xmlstream.IntOf(0), MaximumSize: xmlstream.IntOf(723),
		First: first,
		Last:  last, GlobalSize: xmlstream.IntOf(2975)}
	list := []containermd.Summed{{Value: odd, Sums: sums}, {Value: "x", Sums: containermd.Sums{Number: 1}}}
	counts := []containermd.Count{{Value: odd, Number: xmlstream.IntOf(4), GlobalSize: xmlstream.IntOf(5)},
		{Value: "x"}}
	responses := []containermd.Response{{Status: odd, ProtocolName: odd, ProtocolVersion: odd,
		Number:     xmlstream.IntOf(1),
		GlobalSize: xmlstream.IntOf(0)}, {Status: "001", ProtocolName: "dns"}}
	base := containermd.Records{Sums: sums, BlockFormats: list, PayloadFormats: list, IdentifiedPayloadTypes: list}
	response, resource, request, metadata, revisit := base, base, base, base, base
	response.DeclaredMIMETypes, response.Hosts, response.Responses = counts, counts, responses
	resource.Hosts, resource.Responses = counts, responses
	request.UserAgents = list
	metadata.ConcurrentTo, metadata.RefersTo = list, list
	revisit.Profiles = list
	return &containermd.Information{
		Sums: sums, Formats: []containermd.Format{{Name: odd, Version: odd, Number: 4,
			GlobalSize: xmlstream.IntOf(682)}},
		Encodings: encodings,
		ARC:       &containermd.ARCEntries{DeclaredMIMETypes: counts, Hosts: counts, Responses: responses},
		WARC: &containermd.WARCEntries{WARCInfo: base, Response: &response, Resource: &resource, Request: &request,
			Metadata: &metadata, Revisit: &revisit,
			Other: []containermd.OtherRecords{{Type: "conversion", Sums: sums, BlockFormats: list}, {Type: odd}}},
	}
}
