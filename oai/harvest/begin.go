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

// begin asks the server who it is, and takes up what the folder has: the harvest that was stopped,
// or the end of the one before. It says whether one was taken up.
func (h *harvest) begin(ctx context.Context) (resumed bool, err error) {
	if h.state, err = h.folder.load(); err != nil {
		return false, err
	}
	fresh := h.state == nil
	if fresh {
		h.state = &oaiharvest.State{Format: oaiharvest.Format, Version: oaiharvest.Version, Set: h.Set,
			As: string(h.As), Lengths: map[string]int64{}, Findings: map[string]int64{}}
	}
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

// connect makes the client.
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
		TrustProxy: h.TrustProxy, Transport: h.Transport, Sleep: h.Sleep, Dir: h.folder.path, Tell: h.tell(0),
	})
	if err != nil {
		return &CallError{"baseurl", err.Error()}
	}
	h.client = c
	h.state.Software, h.state.UserAgent = h.Agent.Name+" "+h.Agent.Version, agent
	return nil
}

// compatible says whether what is asked for can go where other things are.
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
			return fmt.Errorf("%s has a harvest whose %s is %q, not %q: name another folder for this one", h.Out,
				d.what, d.has, d.asked)
		}
	}
	return nil
}

// identify asks the server who it is. It gives the moment of its answer, by its own clock where
// that can be read.
func (h *harvest) identify(ctx context.Context) (time.Time, error) {
	response, answer, err := h.small(ctx, url.Values{"verb": {"Identify"}})
	if errors.Is(err, client.ErrNotOAI) {
		return time.Time{}, fmt.Errorf("%s?verb=Identify: %w; is this the base URL? It often ends in /oai or /modoai",
			h.client.Base(), err)
	}
	if err != nil {
		return time.Time{}, err
	}
	if response.Identify == nil {
		return time.Time{}, fmt.Errorf("%s does not say who it is (Identify): %s", h.client.Base(), said(response))
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
			fmt.Sprintf("the server says that it speaks version %.20q of the protocol; it is asked by 2.0", v))
	}
	return at.UTC().Truncate(time.Second), nil
}

func formatsOf(s *oaiharvest.State) []string {
	if s.Server == nil {
		return nil
	}
	return s.Server.Formats
}

// small asks what has a short answer.
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

// said words the errors of an answer.
func said(r *client.Response) string {
	if len(r.Errors) == 0 {
		return "its answer holds neither that nor an error"
	}
	var all []string
	for _, e := range r.Errors {
		all = append(all, fmt.Sprintf("%s: %.300s", e.Code, e.Text))
	}
	return strings.Join(all, "; ")
}

// preferred are the formats that tell most of a resource, the best first; oai_dc is what every
// server has.
var preferred = []string{"oai_crate", "oai_didl", "oai_dc"}

// choosePrefix takes the format that was asked for, or the best that the server has.
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
			return fmt.Errorf("%s has no format %q; it has %s", h.client.Base(), h.Prefix, strings.Join(has, ", "))
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
		"every server must have it; this one lists no formats: "+said(response)
	if len(has) > 0 {
		h.state.PrefixWhy = "every server must have it, though this one lists only " + strings.Join(has, ", ")
	}
	return nil
}

// dropUnbegun forgets a window of which the server gave no page, when other dates are asked for
// now: it may be these dates that it refused, and they would be in the way for ever.
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

// asksOther says whether other dates are asked for than those of a window.
func (h *harvest) asksOther(w *oaiharvest.Window) bool {
	return h.From != "" && h.From != w.AskedFrom || h.Until != "" && h.Until != w.AskedUntil
}

// openWindow goes on with the window that was not finished, or makes a new one that ends now, by
// the server's clock.
func (h *harvest) openWindow(now time.Time) (resumed bool, err error) {
	s := h.state
	h.dropUnbegun()
	if n := len(s.Windows); n > 0 && s.Windows[n-1].Ended == nil {
		w := &s.Windows[n-1]
		if h.asksOther(w) {
			return false,
				fmt.Errorf("%s has a harvest that was stopped, from %q until %q: let it end first (leave --from and "+
					"--until out), or name another folder", h.Out, w.AskedFrom, w.AskedUntil)
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
		t, _, _ := protocol.ParseDatestamp(h.From) // was read before
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

// continued is from when on records are asked for that the windows before do not have: their end,
// less an overlap for clocks that disagree and records that were late to appear.
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

// endOf is the last second of a date of either granularity.
func endOf(date string) time.Time {
	t, g, _ := protocol.ParseDatestamp(date) // was read before
	return g.Last(t)
}

// stamp writes a date as the server knows them.
func (h *harvest) stamp(t time.Time) string {
	if h.days {
		return t.UTC().Format("2006-01-02")
	}
	return protocol.FormatDatestamp(t)
}
