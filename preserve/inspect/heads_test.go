package inspect

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"quire/format/http1"
	"quire/model"
)

// exchanged returns a record of an exchange.
func exchanged(kind, id, block string, fields ...string) string {
	text := record(kind, block, append([]string{"Content-Type: application/http;msgtype=" + kind}, fields...)...)
	return strings.Replace(text, "<urn:uuid:"+kind+">", "<urn:x:"+id+">", 1)
}

const (
	bodilessAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"
	wholeAnswer    = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody"
	headRequest    = "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n"
	getRequest     = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
)

// shortBodies returns the ids of the records with HTTP-BODY-SHORT.
func shortBodies(t *testing.T, file string, o Options) []string {
	t.Helper()
	var ids []string
	for _, f := range inspectBytes(t, []byte(file), o).Findings {
		if f.Code == string(http1.BodyShort) {
			ids = append(ids, strings.Trim(*f.Record, "<>"))
		}
	}
	return ids
}

// TestHeads: an answer to a HEAD request lacks no body; each other response without its body does.
func TestHeads(t *testing.T) {
	const (
		uri   = "WARC-Target-URI: http://a/"
		other = "WARC-Target-URI: http://a/other"
		to    = "WARC-Concurrent-To: <urn:x:"
	)
	between := func(n int) string {
		return strings.Repeat(record("metadata", "x", uri, "Content-Type: text/plain"), n)
	}
	answer := func(block string, fields ...string) string {
		return exchanged("response", "answer", block, append([]string{uri}, fields...)...)
	}
	second := exchanged("response", "second", bodilessAnswer, uri)
	request := func(block string, fields ...string) string { return exchanged("request", "question", block, fields...) }
	none, short := []string(nil), []string{"urn:x:answer"}
	for _, c := range []struct {
		name, file string
		want       []string
	}{
		{"the request follows and names it", answer(bodilessAnswer) + request(headRequest, other, to+"answer>"), none},
		{"it names the request", request(headRequest, other) + answer(bodilessAnswer, to+"question>"), none},
		{"the request follows, named by it", answer(bodilessAnswer, to+"question>") + request(headRequest, other),
			none},
		{"neither names the other", request(headRequest, uri) + answer(bodilessAnswer), none},
		{"neither, the request follows", answer(bodilessAnswer) + request(headRequest, uri), none},
		{"eight records later", answer(bodilessAnswer) + between(7) + request(headRequest, uri), none},
		{"eight records before", request(headRequest, uri) + between(7) + answer(bodilessAnswer), none},
		{"nine records later", answer(bodilessAnswer) + between(8) + request(headRequest, uri), short},
		{"nine records before", request(headRequest, uri) + between(8) + answer(bodilessAnswer), short},
		{"a GET follows", answer(bodilessAnswer) + request(getRequest, uri), short},
		{"a GET before", request(getRequest, uri) + answer(bodilessAnswer), short},
		{"no request", answer(bodilessAnswer), short},
		{"a HEAD for another URI", answer(bodilessAnswer) + request(headRequest, other), short},
		{"a HEAD that names another", answer(bodilessAnswer) + request(headRequest, uri, to+"x>"), short},
		{"no URI", request(headRequest) + exchanged("response", "answer", bodilessAnswer), short},
		{"one HEAD before, two answers", request(headRequest, uri) + answer(bodilessAnswer) + second,
			[]string{"urn:x:second"}},
		{"one HEAD behind two answers", answer(bodilessAnswer) + second + request(headRequest, uri), short},
		{"one HEAD with its own answer", request(headRequest, uri) + answer(wholeAnswer) + second,
			[]string{"urn:x:second"}},
		{"a HEAD, then a GET", request(headRequest, uri) + request(getRequest, uri) + answer(bodilessAnswer), short},
		{"half a body", request(headRequest, uri) + answer(bodilessAnswer+"half"), short},
	} {
		if got := shortBodies(t, warcinfo+c.file, Options{}); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestHeadsAsErrors: a policy may make the finding an error. It is then reported at its record, which is not sound; a
// request before it is known in time.
func TestHeadsAsErrors(t *testing.T) {
	var file strings.Builder
	for i, before := range []bool{true, false} {
		uri := fmt.Sprintf("WARC-Target-URI: http://a/%d", i)
		answer, request := exchanged("response", "answer"+fmt.Sprint(i), bodilessAnswer, uri),
			exchanged("request", "question", headRequest, uri)
		if before {
			answer, request = request, answer
		}
		file.WriteString(answer + request)
	}
	o := Options{Policy: Policy{http1.BodyShort: model.Error}}
	var sound []bool
	for _, r := range told(t, []byte(file.String()), o) {
		if r.Type == "response" {
			sound = append(sound, r.Sound)
		}
	}
	if want := []bool{true, false}; !slices.Equal(sound, want) {
		t.Errorf("sound: %v, want %v", sound, want)
	}
	if got, want := shortBodies(t, file.String(), o), []string{"urn:x:answer1"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
