package check

import (
	"net/url"
	"slices"
)

// checkPost repeats a GET request by POST (clause 3.1.1).
func (k *checker) checkPost() error {
	questions := []url.Values{args("verb", "Identify"), args("verb", "ListRecords", "metadataPrefix", "oai_dc")}
	if k.sample.id != "" {
		questions = append(questions, args("verb", "GetRecord", "metadataPrefix", "oai_dc", "identifier", k.sample.id))
	}
	for _, v := range questions {
		get, err := k.ask(v)
		if err != nil {
			return err
		}
		k.wire.post = true
		before := len(k.report.Findings)
		post, err := k.ask(v)
		request := k.shown(v)
		k.wire.post = false
		if err != nil && err != errAnswer { //nolint:errorlint // our own, as it is
			return err
		}
		if err == nil && !sameAnswer(get, post) && len(k.report.Findings) == before {
			k.find(CodePost, request, "POST gets %s, but GET gets %s", post.summary(), get.summary())
		}
	}
	return nil
}

// sameAnswer compares two answers to one request.
func sameAnswer(a, b *answer) bool {
	return a.Verb == b.Verb && slices.Equal(a.Errors, b.Errors) && slices.EqualFunc(a.heads, b.heads, sameRecord) &&
		(a.Token == nil) == (b.Token == nil)
}

// checkCompression compares answers with and without compression.
func (k *checker) checkCompression() error {
	v := args("verb", "ListRecords", "metadataPrefix", "oai_dc")
	k.wire.accept = "identity"
	plain, err := k.ask(v)
	k.wire.accept = ""
	if err != nil {
		return err
	}
	if plain.coding != "" {
		k.find(CodeCoding, plain.request, "the answer is compressed (%s) without a request for it", plain.coding)
	}
	if !slices.Contains(k.identify.Compressions, "gzip") {
		return nil
	}
	k.wire.accept = "gzip"
	zipped, err := k.ask(v)
	k.wire.accept = ""
	if err != nil {
		return err
	}
	if zipped.coding != "gzip" {
		k.find(CodeCoding, zipped.request,
			"Identify lists the compression gzip, but the answer to a request for gzip is not compressed")
	}
	if !sameAnswer(plain, zipped) {
		k.find(CodeCoding, zipped.request, "the compressed answer differs from the plain one")
	}
	return nil
}
