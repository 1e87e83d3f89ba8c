package browsertrix

import (
	"errors"
	"io"

	"go.yaml.in/yaml/v3"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source/internal/secret"
)

// maxYAML bounds a configuration, in bytes. The saved state of a crawl has its whole queue in it.
const maxYAML = 32 << 20

// node is a part of a YAML document. Aliases are not followed: what stands behind one is not there.
type node struct{ *yaml.Node }

// yaml reads a document; nil when it cannot be read, which is a finding.
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
			r.find(findConfig, model.Warning, p, 0, "it is larger than %d bytes, and was not read", maxYAML)
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
	defer func() { // the library panics on some documents that are none
		if recover() != nil {
			n, err = nil, errors.New("it is no YAML")
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

// get gives the value of a key; nil when there is none.
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

// text gives a scalar by its key, "" when there is none, or null.
func (n *node) text(key string) string { return n.get(key).scalar() }

func (n *node) scalar() string {
	if n == nil || n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return ""
	}
	return n.Value
}

// list gives the values of a list; of a scalar, which may stand for a list of one, that.
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

// keys visits the keys of a map and what stands behind each.
func (n *node) keys(visit func(key string, value *node)) {
	if n == nil || n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		visit(n.Content[i].Value, &node{n.Content[i+1]})
	}
}
