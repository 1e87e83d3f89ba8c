package archive

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"quire/format/http1"
	"quire/format/warc"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/internal/warcbuild"
	"quire/oai/crate"
	"quire/oai/harvest"
	"quire/oai/plugin"
	"quire/oai/provider"
	"quire/oai/resource"
)

// harvested are the records about a capture that quire oai harvest wrote behind it: the statements of
// the CRATE with which it came.
type harvested struct {
	head    *http1.Head // as the source stated it; nil if it did not
	sources []resource.Source
}

// sourcesOf returns a function that reads the statements that came with a capture, once. It leaves
// out statements about several resources: access to one is not access to all.
func (a *Archive) sourcesOf(identifier string, c *captures.Capture) func(context.Context) (*harvested, error) {
	var mu sync.Mutex
	var known *harvested
	var partly error // records are left out
	return func(ctx context.Context) (*harvested, error) {
		mu.Lock()
		defer mu.Unlock()
		if known != nil {
			return known, partly
		}
		all, complete, err := a.holdings.ReadMetadata(ctx, a.reader, c, func(h *warc.Header) bool {
			part := h.Get(harvest.FieldPart)
			return part != "" && part != harvest.PartDocument && !h.Has(harvest.FieldResources)
		})
		var denied *holdings.DeniedError
		if errors.As(err, &denied) {
			return nil, fmt.Errorf("%s is not available: %w", identifier, provider.ErrNotFound)
		}
		if err != nil {
			return nil, fmt.Errorf("the output of tools that came with the resource: %w", err)
		}
		if !complete {
			partly = errors.New("more output of tools came with the resource than is handed on")
		}
		known = understood(all)
		return known, partly
	}
}

// addHead adds the head that came with a resource without one of its own. If it is unreadable, the
// CRATE of the resource reports that.
func addHead(ctx context.Context, r *resource.Resource, came func(context.Context) (*harvested, error)) error {
	h, err := came(ctx)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, provider.ErrNotFound):
		return err
	case h == nil || h.head == nil:
		return nil
	}
	r.Proto, r.Status = h.head.Proto, h.head.StatusCode
	for _, f := range h.head.Fields {
		if f.Name != "" {
			r.Header = append(r.Header, resource.Field{Name: f.Name, Value: f.Value})
		}
	}
	return nil
}

// understood reads the parts of a harvested record.
func understood(all []holdings.Metadata) *harvested {
	h := &harvested{}
	own := resource.Source{}
	for i := range all {
		m := &all[i]
		switch m.Get(harvest.FieldPart) {
		case harvest.PartFacts:
			for _, f := range warc.ParseFields(m.Block) {
				switch f.Name {
				case "via":
					own.From = f.Value
				case "document-id":
					own.Document = f.Value
				case "document-generator":
					own.Generator = f.Value
				case "document-created":
					own.Created, _ = time.Parse(time.RFC3339, f.Value) // unknown if it is another form
				}
			}
			own.Harvested, _ = m.Date()
		case harvest.PartHead:
			if head, _, err := http1.ParseHead(m.Block, http1.Response, nil); err == nil {
				h.head = &head
			}
		case harvest.PartOutput:
			own.Results = append(own.Results, resultOf(m))
		case harvest.PartSource, harvest.PartStatement:
			if crate.IsSource(string(m.Block)) {
				source, _ := crate.ReadSource(m.Block) // as far as it can be read
				h.sources = append(h.sources, *source)
			}
		}
	}
	if len(own.Results) > 0 {
		h.sources = append(h.sources, own)
	}
	return h
}

// resultOf returns the output of a tool. Harvests of older versions state less of its run.
func resultOf(m *holdings.Metadata) plugin.Result {
	text := func(name string) string {
		value := m.Get(name)
		if plain, err := warcbuild.Unescape(value); err == nil {
			return plain
		}
		return value
	}
	r := plugin.Result{Label: text(harvest.FieldLabel), Version: text(harvest.FieldVersion),
		Outcome: plugin.Outcome(text(harvest.FieldOutcome)), Reason: text(harvest.FieldReason),
		Tool: text(harvest.FieldTool), Command: text(harvest.FieldCommand), Jail: text(harvest.FieldJail),
		Output: plugin.Output{MIMEType: m.Get(warc.FieldContentType), Bytes: m.Block}}
	r.Began, _ = warc.ParseDate(m.Get(harvest.FieldBegan)) // unknown if there is none
	return r
}
