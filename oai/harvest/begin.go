package harvest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"quire/model"
	"quire/oai/client"
	"quire/oai/protocol"
	"quire/source/oaiharvest"
)

// begin requests Identify and loads the folder's state: the interrupted harvest, or the end of the
// last one. Resumed reports whether it continues a harvest.
func (h *harvest) begin(ctx context.Context) (resumed bool, err error) {
	if h.state, err = h.folder.load(); err != nil {
		return false, err
	}
	fresh := h.state == nil
	if fresh {
		h.state = &oaiharvest.State{Format: oaiharvest.Format, Version: oaiharvest.Version, Set: h.Set,
			As: string(h.As), Lengths: map[string]int64{}, Findings: map[string]int64{}}
	}
	h.state.Documents = h.state.Documents || h.Documents
	if err := h.connect(); err != nil {
		return false, err
	}
	if err := h.compatible(fresh); err != nil {
		return false, err
	}
	h.tools = map[toolKey]int{}
	for i, t := range h.state.Tools {
		h.tools[toolKey{t.Label, t.Version}] = i
	}
	at, err := h.identify(ctx)
	if err != nil {
		return false, err
	}
	if fresh {
		if err := h.choosePrefix(ctx); err != nil {
			return false, err
		}
	}
	resumed, err = h.openWindow(at)
	if err != nil {
		return false, err
	}
	if h.sink, err = h.newSink(ctx); err != nil {
		return false, err
	}
	if err := h.folder.save(h.state); err != nil {
		return false, errors.Join(err, h.sink.close())
	}
	return resumed, nil
}

// connect creates the client.
func (h *harvest) connect() error {
	agent := h.Agent.Name + "/" + h.Agent.Version
	if h.Contact != "" {
		agent += " (+" + h.Contact + ")"
	}
	from := ""
	if strings.Contains(h.Contact, "@") && !strings.Contains(h.Contact, ":") {
		from = h.Contact
	}
	c, err := client.New(h.BaseURL, client.Options{
		UserAgent: agent, From: from, User: h.User, Password: h.Password, Token: h.Token, Delay: h.Delay,
		Patience: h.Patience, MaxWait: h.MaxWait,
		TrustProxy: h.TrustProxy, Transport: h.Transport, Sleep: h.Sleep, Now: h.Now, Dir: h.folder.path,
		Tell: h.findingRecorder(0),
	})
	if err != nil {
		return &CallError{"baseurl", err.Error()}
	}
	h.client = c
	h.state.Software, h.state.UserAgent = h.Agent.Name+" "+h.Agent.Version, agent
	return nil
}

// compatible checks whether the options fit the harvest in the folder.
func (h *harvest) compatible(fresh bool) error {
	s := h.state
	if fresh {
		s.BaseURL = h.client.Base()
		return nil
	}
	for _, d := range []struct{ what, has, asked string }{
		{"base URL", s.BaseURL, h.client.Base()}, {"set", s.Set, h.Set}, {"form", s.As, string(h.As)},
		{"prefix", s.Prefix, cmp.Or(h.Prefix, s.Prefix)},
	} {
		if d.has != d.asked {
			return fmt.Errorf("%s has a harvest with %s %q, not %q: choose another folder", h.Out,
				d.what, d.has, d.asked)
		}
	}
	return nil
}

// identify requests Identify. It returns the time of the answer, by the server's clock if readable.
func (h *harvest) identify(ctx context.Context) (time.Time, error) {
	response, answer, err := h.small(ctx, url.Values{"verb": {"Identify"}})
	if errors.Is(err, client.ErrNotOAI) {
		return time.Time{}, fmt.Errorf("%s?verb=Identify: %w; check the base URL, which often ends in "+
			"/oai or /modoai",
			h.client.Base(), err)
	}
	if err != nil {
		return time.Time{}, err
	}
	if response.Identify == nil {
		return time.Time{}, fmt.Errorf("%s does not answer Identify: %s", h.client.Base(), errorText(response))
	}
	h.server = response.Identify
	h.days = !strings.Contains(h.server.Granularity, "hh")
	h.state.Server = &oaiharvest.Server{
		Name: h.server.Name, ProtocolVersion: h.server.ProtocolVersion, AdminEmails: h.server.AdminEmails,
		EarliestDatestamp: h.server.EarliestText,
		DeletedRecord:     h.server.DeletedRecord, Granularity: h.server.Granularity, Formats: formatsOf(h.state),
	}
	at := response.Date
	if at.IsZero() {
		at = answer.Began.UTC()
	}
	if v := h.server.ProtocolVersion; v != "2.0" {
		h.found(CodeServer, model.Warning,
			fmt.Sprintf("the server states protocol version %.20q; this harvest uses 2.0", v))
	}
	return at.UTC().Truncate(time.Second), nil
}

func formatsOf(s *oaiharvest.State) []string {
	if s.Server == nil {
		return nil
	}
	return s.Server.Formats
}

// small sends a request with a short answer.
func (h *harvest) small(ctx context.Context, args url.Values) (*client.Response, *client.Answer, error) {
	answer, err := h.client.Get(ctx, args)
	if err != nil {
		if answer != nil {
			err = errors.Join(err, answer.Close())
		}
		return nil, nil, err
	}
	response, err := answer.Read(client.Visitor{})
	return response, answer, errors.Join(err, answer.Close())
}

// errorText formats the errors of an answer.
func errorText(r *client.Response) string {
	if len(r.Errors) == 0 {
		return "its answer contains neither that nor an error"
	}
	var all []string
	for _, e := range r.Errors {
		all = append(all, fmt.Sprintf("%s: %.300s", e.Code, e.Text))
	}
	return strings.Join(all, "; ")
}

// preferred lists the formats with the most information on a resource, the best first. Every server
// has oai_dc.
var preferred = []string{"oai_crate", "oai_didl", "oai_dc"}

// choosePrefix selects the requested format, or the best of the server.
func (h *harvest) choosePrefix(ctx context.Context) error {
	response, _, err := h.small(ctx, url.Values{"verb": {"ListMetadataFormats"}})
	if err != nil {
		return err
	}
	var has []string
	for _, f := range response.Formats {
		has = append(has, f.Prefix)
	}
	h.state.Server.Formats = has
	if h.Prefix != "" {
		h.state.Prefix, h.state.PrefixWhy = h.Prefix, "asked for"
		if len(has) > 0 && !slices.Contains(has, h.Prefix) {
			return fmt.Errorf("%s lacks the format %q; it has %s", h.client.Base(), h.Prefix, strings.Join(has, ", "))
		}
		return nil
	}
	for i, p := range preferred {
		if slices.Contains(has, p) {
			h.state.Prefix, h.state.PrefixWhy = p, "the best of those that the server has"
			if i > 0 {
				h.state.PrefixWhy = "the server has no " + strings.Join(preferred[:i], " and no ")
			}
			return nil
		}
	}
	h.state.Prefix, h.state.PrefixWhy = "oai_dc",
		"every server must have it; this one lists no formats: "+errorText(response)
	if len(has) > 0 {
		h.state.PrefixWhy = "every server must have it, though this one lists only " + strings.Join(has, ", ")
	}
	return nil
}

// dropUnbegun removes a window without any page if the options now request other dates. The server
// may have refused its dates, and the window would block the folder for ever.
func (h *harvest) dropUnbegun() {
	n := len(h.state.Windows)
	if n == 0 {
		return
	}
	w := &h.state.Windows[n-1]
	if w.Ended == nil && w.Pages == 0 && w.Counts == (oaiharvest.Counts{}) && h.asksOther(w) {
		h.state.Windows = h.state.Windows[:n-1]
	}
}

// asksOther reports whether the options request other dates than a window.
func (h *harvest) asksOther(w *oaiharvest.Window) bool {
	return h.From != "" && h.From != w.AskedFrom || h.Until != "" && h.Until != w.AskedUntil
}

// openWindow continues the unfinished window, or creates one that ends now by the server's clock.
func (h *harvest) openWindow(now time.Time) (resumed bool, err error) {
	s := h.state
	h.dropUnbegun()
	if n := len(s.Windows); n > 0 && s.Windows[n-1].Ended == nil {
		w := &s.Windows[n-1]
		if h.asksOther(w) {
			return false,
				fmt.Errorf("%s has an interrupted harvest, from %q until %q: finish it first (omit "+
					"--from and --until), or choose another folder", h.Out, w.AskedFrom, w.AskedUntil)
		}
		h.window = w
		return true, nil
	}
	w := oaiharvest.Window{AskedFrom: h.From, AskedUntil: h.Until, Began: h.Now().UTC().Truncate(time.Second),
		ResponseDate: now, Ordered: true}
	w.Until, w.UntilWhy = h.stamp(now), "responseDate of the server's first answer"
	if h.Until != "" {
		w.Until, w.UntilWhy = h.stamp(endOf(h.Until)), "asked for"
	}
	switch from, why := h.continued(); {
	case h.From != "":
		t, _, _ := protocol.ParseDatestamp(h.From) // checked before
		w.From, w.FromWhy = h.stamp(t), "asked for"
	case !from.IsZero():
		w.From, w.FromWhy = h.stamp(from), why
	default:
		w.FromWhy = "no bound: all that the server has"
	}
	s.Windows = append(s.Windows, w)
	h.window = &s.Windows[len(s.Windows)-1]
	return false, nil
}

// continued returns the start of the next window: the end of the last one, minus an overlap for
// differing clocks and late records.
func (h *harvest) continued() (time.Time, string) {
	for i := len(h.state.Windows) - 1; i >= 0; i-- {
		w := h.state.Windows[i]
		if !w.Complete {
			continue
		}
		end, why := w.ResponseDate, "responseDate of the harvest before"
		if w.AskedUntil != "" {
			if asked := endOf(w.AskedUntil); asked.Before(end) {
				end, why = asked, "end of the harvest before"
			}
		}
		overlap := h.Overlap
		if overlap == 0 {
			overlap = 10 * time.Minute
			if h.days {
				overlap = 24 * time.Hour
			}
		}
		return end.Add(-overlap), fmt.Sprintf("%s, %s, less %s of overlap", why, protocol.FormatDatestamp(end), overlap)
	}
	return time.Time{}, ""
}

// endOf returns the last second of a date of either granularity.
func endOf(date string) time.Time {
	t, g, _ := protocol.ParseDatestamp(date) // checked before
	return g.Last(t)
}

// stamp formats a date in the server's granularity.
func (h *harvest) stamp(t time.Time) string {
	if h.days {
		return t.UTC().Format("2006-01-02")
	}
	return protocol.FormatDatestamp(t)
}
