package server

import (
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/model"
	"quire/oai/archive"
	oaiserver "quire/oai/archive/server"
	oaiconfig "quire/oai/config"
	"quire/oai/protocol"
)

// zones maps classes of readers to the zones of harvesters with equal rights.
var zones = map[holdings.Class]model.Zone{holdings.Public: model.Open, holdings.OnSite: model.Onsite,
	holdings.Staff: model.Restricted}

// harvester sends requests to an OAI-PMH server.
type harvester struct {
	*asker
	s *oaiserver.Server
}

// harvesters opens an OAI-PMH server over the repository of the matrix, and waits until everything
// is loaded.
func harvesters(t *testing.T, r *holdingstest.Repository, who *asker, rules string, unstated model.Zone) *harvester {
	t.Helper()
	c := oaiconfig.Config{Repository: archive.Settings{Zone: zones[who.class], Unstated: unstated, Rules: rules},
		Pages: oaiconfig.Pages{Records: 7}}
	if err := c.Complete(); err != nil {
		t.Fatal(err)
	}
	s, err := oaiserver.New(t.Context(), r.Store, oaiserver.Options{
		Config: c, Dir: t.TempDir(), Access: t.TempDir(), Root: "http://127.0.0.1:8000", Now: r.Clock.Now,
		Problem: func(err error) { t.Logf("problem: %v", err) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.Archive.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	h := &harvester{&asker{class: who.class, forbidden: maps.Clone(who.forbidden), hidden: who.hidden}, s}
	if h.forbidden != nil {
		// closed to the public, and so to every harvester
		h.forbidden["SECRET of secret-container"] = "secret-container"
		h.forbidden["SECRET of segments-secret-container"] = "segments-secret-container"
	}
	return h
}

// gets reports whether harvesters of a class may get a case.
func (h *harvester) gets(c *holdingstest.Case) bool {
	return c.Of(h.class) == holdingstest.Allowed && !c.Missing && !strings.HasSuffix(c.Name, "secret-container")
}

// ask sends a request, and checks the response for forbidden content, also in Base64.
func (h *harvester) ask(t *testing.T, query string) string {
	t.Helper()
	a := ask(t, h.s, "GET", h.s.Base+"?"+query, "127.0.0.1")
	if a.status == http.StatusServiceUnavailable {
		time.Sleep(100 * time.Millisecond)
		return h.ask(t, query)
	}
	text := a.body
	a.body += decoded(text)
	h.clean(t, query, a)
	return text
}

var inBase64 = regexp.MustCompile(`[A-Za-z0-9+/\s]{16,}={0,2}`)

// decoded returns the content of Base64 parts of a text.
func decoded(text string) string {
	var all strings.Builder
	for _, found := range inBase64.FindAllString(text, -1) {
		if b, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(found), "")); err == nil {
			all.Write(b)
			all.WriteByte('\n')
		}
	}
	return all.String()
}

// list requests a complete list, and returns all responses, concatenated.
func (h *harvester) list(t *testing.T, query string) string {
	t.Helper()
	verb, _, _ := strings.Cut(query, "&")
	all := h.ask(t, "verb="+query)
	for last := all; ; {
		token := tokenOf.FindStringSubmatch(last)
		if token == nil || token[1] == "" {
			return all
		}
		last = h.ask(t, "verb="+verb+"&resumptionToken="+url.QueryEscape(unescaped(token[1])))
		all += last
	}
}

var (
	tokenOf      = regexp.MustCompile(`<resumptionToken[^>]*>([^<]*)<`)
	sizeOf       = regexp.MustCompile(`completeListSize="(\d+)"`)
	identifierOf = regexp.MustCompile(`<identifier>([^<]*)<`)
	specOf       = regexp.MustCompile(`<setSpec>([^<]*)<`)
	formatOf     = regexp.MustCompile(`<metadataPrefix>([^<]*)<`)
)

// unescaped returns XML text without escapes.
func unescaped(s string) string {
	var text string
	_ = xml.Unmarshal([]byte("<t>"+s+"</t>"), &text) // invalid XML is compared unchanged
	return text
}

// harvested requests every verb and format, for all and set by set: content closed to a class of
// readers must be completely absent.
func (h *harvester) harvested(t *testing.T, cases []holdingstest.Case, known map[string]string) {
	want, hosts := 0, map[string]bool{}
	for _, c := range cases {
		if h.gets(&c) {
			want++
			hosts[protocol.HostSet(hostName(t, c.URL))] = true
		}
	}
	lists := []string{"ListIdentifiers&metadataPrefix=oai_dc"}
	for _, f := range formatOf.FindAllStringSubmatch(h.ask(t, "verb=ListMetadataFormats"), -1) {
		lists = append(lists, "ListRecords&metadataPrefix="+f[1])
	}
	if len(lists) < 5 {
		t.Fatalf("formats: %v", lists)
	}
	for _, query := range lists {
		text := h.list(t, query)
		h.absent(t, query, text, cases)
		h.handedOn(t, query, text, cases)
		got := identifierOf.FindAllString(text, -1)
		if query == lists[0] && len(got) != want {
			t.Errorf("%s: %d identifiers, not %d: %v", query, len(got), want, got)
		}
		for _, size := range sizeOf.FindAllStringSubmatch(text, -1) {
			if query == lists[0] && size[1] != fmt.Sprint(want) {
				t.Errorf("%s: completeListSize %s, not %d", query, size[1], want)
			}
		}
	}
	sets := h.list(t, "ListSets")
	h.absent(t, "ListSets", sets, cases)
	for _, spec := range specOf.FindAllStringSubmatch(sets, -1) {
		if set := unescaped(spec[1]); strings.HasPrefix(set, "host:") && !hosts[set] {
			t.Errorf("ListSets reveals %s", set)
		}
	}
	h.absent(t, "Identify", h.ask(t, "verb=Identify"), cases)
	for _, c := range cases {
		h.one(t, &c, known[c.URL], hosts)
	}
}

func hostName(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Hostname()
}

// absent checks for URLs that are closed to the harvester, or have no content.
func (h *harvester) absent(t *testing.T, way, text string, cases []holdingstest.Case) {
	t.Helper()
	text += decoded(text)
	for _, c := range cases {
		if !h.gets(&c) && regexp.MustCompile(regexp.QuoteMeta(c.URL)+`["'<&\s]`).MatchString(text) {
			t.Errorf("%s reveals %s", way, c.URL)
		}
	}
}

// one requests one record by its identifier: the response for closed content must equal that for
// nonexistent content.
func (h *harvester) one(t *testing.T, c *holdingstest.Case, identifier string, hosts map[string]bool) {
	t.Helper()
	if identifier == "" {
		if !c.Missing && !c.Infected && !strings.HasSuffix(c.Name, "secret-container") {
			t.Errorf("%s: its identifier is not known", c.Name)
		}
		return
	}
	never := "urn:x-quire:capture:20150102030405:0123456789abcdef:http://never.example/"
	for _, prefix := range []string{"oai_dc", "oai_didl", "oai_crate"} {
		ask := func(id string) string {
			text := h.ask(t, "verb=GetRecord&metadataPrefix="+prefix+"&identifier="+url.QueryEscape(id))
			return responseDate.ReplaceAllString(strings.ReplaceAll(text, xmlText(id), "ID"), "")
		}
		got := ask(identifier)
		if allowed := h.gets(c); allowed != strings.Contains(got, "<metadata>") {
			t.Errorf("GetRecord %s %s: %s", prefix, identifier, got)
		} else if nothing := ask(never); !allowed && got != nothing {
			t.Errorf("GetRecord %s %s differs from the response for a nonexistent "+
				"record:\n%s\n%s", prefix, identifier, got, nothing)
		}
	}
	if set := protocol.HostSet(hostName(t, c.URL)); !hosts[set] {
		if text := h.ask(t, "verb=ListIdentifiers&metadataPrefix=oai_dc&set="+
			url.QueryEscape(set)); !strings.Contains(text, "noRecordsMatch") {
			t.Errorf("set %s: %s", set, text)
		}
	}
	bytes := ask(t, h.s, "GET", h.s.Base+"/bytes?identifier="+url.QueryEscape(identifier), "127.0.0.1")
	h.clean(t, "bytes", bytes)
	if allowed := h.gets(c); allowed != (bytes.status == http.StatusOK) {
		t.Errorf("bytes of %s: %d", identifier, bytes.status)
	}
}

// handedOn checks that the output of tools that came with open content is in its CRATEs, and only
// there.
func (h *harvester) handedOn(t *testing.T, query, text string, cases []holdingstest.Case) {
	t.Helper()
	for _, c := range cases {
		want := h.gets(&c) && strings.HasSuffix(query, "=oai_crate")
		if is := has(text, "of tool-output: "+xmlText(c.Body)); is != want && !c.Infected {
			t.Errorf("%s: the output of tools on %s is there: %v", query, c.Name, is)
		}
	}
}

var responseDate = regexp.MustCompile(`<responseDate>[^<]*</responseDate>`)

func xmlText(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder never fails
	return b.String()
}

// identifiersOf returns the identifiers of all captures, by URL, as known to a harvester before
// anything was closed.
func identifiersOf(t *testing.T, r *holdingstest.Repository) map[string]string {
	t.Helper()
	r.Withdraw() // nothing
	defer r.Withdraw(holdingstest.MatrixWithdrawals...)
	rules := r.Dir + "/no-rules.yaml"
	if err := os.WriteFile(rules, []byte("rules:\n  - access: open\n    override: rights\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	h := harvesters(t, r, &asker{class: holdings.Staff}, rules, model.Open)
	known := map[string]string{}
	for _, found := range identifierOf.FindAllStringSubmatch(h.list(t, "ListIdentifiers&metadataPrefix=oai_dc"), -1) {
		identifier := unescaped(found[1])
		c, err := archive.ParseIdentifier(identifier)
		if err != nil {
			t.Fatal(err)
		}
		known[c.URL] = identifier
	}
	return known
}

// TestRuleChangeReachesHarvesters closes a harvested host during a list. Within a second no
// response contains its content or lists it; later it is a deleted record. Records that were never
// published do not appear.
func TestRuleChangeReachesHarvesters(t *testing.T) {
	r, o, cases := holdingstest.Matrix(t)
	who := &asker{class: holdings.Public, forbidden: map[string]string{}}
	h := harvesters(t, r, who, o.Rules, model.Open)
	first := h.ask(t, "verb=ListRecords&metadataPrefix=oai_didl")
	token := tokenOf.FindStringSubmatch(first)
	published := map[string]bool{}
	for _, found := range identifierOf.FindAllStringSubmatch(h.list(t, "ListIdentifiers&metadataPrefix=oai_dc"), -1) {
		published[unescaped(found[1])] = true
	}
	text, err := os.ReadFile(o.Rules)
	if err != nil {
		t.Fatal(err)
	}
	closed := string(text) + "  - urls: [\"(example,open,)/\"]\n    access: blocked\n    hidden: true\n"
	if err := os.WriteFile(o.Rules, []byte(closed), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if strings.HasPrefix(c.URL, "http://open.example/") {
			h.forbidden[c.Body] = c.Name + ", which is closed"
		}
	}
	delete(h.forbidden, "SECRET of open") // shared with captures of a host that stays open
	for token != nil && token[1] != "" {
		next := h.ask(t, "verb=ListRecords&resumptionToken="+url.QueryEscape(unescaped(token[1])))
		token = tokenOf.FindStringSubmatch(next)
		for _, record := range strings.Split(next, "<record>")[1:] {
			if strings.Contains(record, "http://open.example/") && !strings.Contains(record, `status="deleted"`) {
				t.Errorf("a continued list contains %s", record)
			}
		}
	}
	r.Clock.Add(2 * time.Second)
	gone := 0
	for _, header := range strings.Split(h.list(t, "ListIdentifiers&metadataPrefix=oai_dc"), "<header")[1:] {
		identifier := unescaped(identifierOf.FindStringSubmatch(header)[1])
		isClosed := strings.Contains(identifier, ":http://open.example/")
		switch deleted := strings.Contains(header, `status="deleted"`); {
		case isClosed != deleted:
			t.Errorf("%s: deleted is %v", identifier, deleted)
		case isClosed && !published[identifier]:
			t.Errorf("%s was never published", identifier)
		case deleted:
			gone++
		}
	}
	if gone == 0 || gone == len(published) {
		t.Errorf("%d of %d were deleted", gone, len(published))
	}
	if err := os.WriteFile(o.Rules, text, 0o666); err != nil {
		t.Fatal(err)
	}
	r.Clock.Add(2 * time.Second)
	if again := h.list(t, "ListIdentifiers&metadataPrefix=oai_dc"); strings.Contains(again, "deleted") ||
		len(identifierOf.FindAllString(again, -1)) != len(published) {
		t.Errorf("when the rule is gone: %s", again)
	}
}
