package provider

import (
	"context"
	"errors"

	"quire/oai/protocol"
)

// identify answers Identify (clause 4.2).
func (p *Provider) identify(ctx context.Context, a *answer) ([]condition, error) {
	earliest, err := p.backend.Earliest(ctx)
	if err != nil {
		return nil, err
	}
	a.beginVerb()
	a.element("repositoryName", p.opt.Name)
	a.element("baseURL", p.opt.BaseURL)
	a.element("protocolVersion", protocol.Version)
	for _, address := range p.opt.AdminEmail {
		a.element("adminEmail", address)
	}
	a.element("earliestDatestamp", protocol.FormatDatestamp(earliest))
	a.element("deletedRecord", "persistent")
	a.element("granularity", string(protocol.Seconds))
	a.element("compression", "gzip")
	if o := p.opt.OAIIdentifier; o != nil {
		a.raw(`<description><oai-identifier xmlns="http://www.openarchives.org/OAI/2.0/oai-identifier"` +
			` xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/oai-identifier ` +
			`http://www.openarchives.org/OAI/2.0/oai-identifier.xsd">` + "\n")
		a.element("scheme", "oai")
		a.element("repositoryIdentifier", o.Repository)
		a.element("delimiter", ":")
		a.element("sampleIdentifier", o.Sample)
		a.raw("</oai-identifier></description>\n")
	}
	return nil, nil
}

// listFormats answers ListMetadataFormats (clause 4.4).
func (p *Provider) listFormats(ctx context.Context, a *answer) ([]condition, error) {
	formats := p.backend.Formats()
	if a.request.given {
		var err error
		formats, err = p.formatsOf(ctx, a.request.identifier)
		switch {
		case errors.Is(err, ErrNotFound):
			return []condition{noRecord}, nil
		case err != nil:
			return nil, err
		case len(formats) == 0:
			return []condition{{protocol.NoMetadataFormats, "this record has no metadata: it is deleted"}}, nil
		}
	}
	a.beginVerb()
	for _, f := range formats {
		a.raw("<metadataFormat>\n")
		a.element("metadataPrefix", f.Prefix)
		a.element("schema", f.Schema)
		a.element("metadataNamespace", f.Namespace)
		a.raw("</metadataFormat>\n")
		a.flushFull()
	}
	return nil, nil
}

func (p *Provider) formatsOf(ctx context.Context, identifier string) ([]protocol.Format, error) {
	h, err := p.backend.Header(ctx, identifier)
	if err != nil || h.Deleted {
		return nil, err
	}
	return p.backend.FormatsOf(ctx, identifier)
}

var noRecord = condition{protocol.IDDoesNotExist, "no record has this identifier"}
