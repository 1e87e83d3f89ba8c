package browsertrix

import (
	"errors"
	"io"

	"go.yaml.in/yaml/v3"

	"quire/internal/archivefs"
	"quire/internal/secret"
	"quire/model"
)

// maxYAML is the maximum size of a configuration in bytes. The saved state of a crawl includes its
// whole queue.
const maxYAML = 32 << 20

// node is a part of a YAML document. Aliases are not followed; they count as missing.
type node struct{ *yaml.Node }

// yaml reads a document. It returns nil and adds a finding if the document is unreadable.
func (r *reading) yaml(p string) (*node, error) {
	var n *node
	err := r.with(p, func(c archivefs.Content) error {
		b, err := io.ReadAll(io.LimitReader(c, maxYAML+1))
		if err != nil {
			return err
		}
		if secret.InURL(b) {
			r.facts.Restrict(p, 0, "holds a password in a URL")
		}
		if len(b) > maxYAML {
			r.find(findConfig, model.Warning, p, 0, "it is larger than %d bytes and was not read", maxYAML)
			return nil
		}
		n, err = parseYAML(b)
		if err != nil {
			r.find(findConfig, model.Warning, p, 0, "it cannot be read: %v", err)
		}
		return nil
	})
	return n, err
}

// parseYAML reads a document.
func parseYAML(b []byte) (n *node, err error) {
	defer func() { // the library panics on some invalid documents
		if recover() != nil {
			n, err = nil, errors.New("it is not YAML")
		}
	}()
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err != nil {
		return nil, err
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) == 0 {
		return nil, nil
	}
	return &node{doc.Content[0]}, nil
}

// get returns the value of a key, or nil.
func (n *node) get(key string) *node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return &node{n.Content[i+1]}
		}
	}
	return nil
}

// text returns a scalar by its key, or "" if missing or null.
func (n *node) text(key string) string { return n.get(key).scalar() }

func (n *node) scalar() string {
	if n == nil || n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return ""
	}
	return n.Value
}

// list returns the values of a list. A scalar is treated as a list with one value.
func (n *node) list() []*node {
	switch {
	case n == nil:
		return nil
	case n.Kind == yaml.ScalarNode:
		if n.scalar() == "" {
			return nil
		}
		return []*node{n}
	case n.Kind != yaml.SequenceNode:
		return nil
	}
	all := make([]*node, len(n.Content))
	for i, c := range n.Content {
		all[i] = &node{c}
	}
	return all
}

// keys visits the keys of a map and their values.
func (n *node) keys(visit func(key string, value *node)) {
	if n == nil || n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		visit(n.Content[i].Value, &node{n.Content[i+1]})
	}
}
