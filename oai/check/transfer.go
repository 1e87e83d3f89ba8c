package check

import (
	"net/url"
	"slices"
)

// checkPost asks by POST what was asked by GET (clause 3.1.1).
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
			k.find(CodePost, request, "POST is answered by %s, otherwise than GET by %s", post.says(), get.says())
		}
	}
	return nil
}

// sameAnswer compares answers to one question.
func sameAnswer(a, b *answer) bool {
	return a.Verb == b.Verb && slices.Equal(a.Errors, b.Errors) && slices.EqualFunc(a.heads, b.heads, sameRecord) &&
		(a.Token == nil) == (b.Token == nil)
}

// checkCompression asks with and without compression, and compares.
func (k *checker) checkCompression() error {
	v := args("verb", "ListRecords", "metadataPrefix", "oai_dc")
	k.wire.accept = "identity"
	plain, err := k.ask(v)
	k.wire.accept = ""
	if err != nil {
		return err
	}
	if plain.coding != "" {
		k.find(CodeCoding, plain.request, "the answer is compressed (%s), which was not asked for", plain.coding)
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
			"Identify names the compression gzip, and the answer does not come so when asked for it")
	}
	if !sameAnswer(plain, zipped) {
		k.find(CodeCoding, zipped.request, "compressed, the answer is another than plain")
	}
	return nil
}
