// Documented counts the exported symbols of the module and prints the symbols without a comment. It
// covers packages, functions, types, methods of exported types, constants and variables. A comment
// on a group or at the end of a line counts, as in go doc.
//
//	go run .ci/documented.go        fails if a comment is missing
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

type count struct {
	files   *token.FileSet
	all     int
	missing []string
}

func main() {
	c := &count{files: token.NewFileSet()}
	documented := map[string]bool{} // packages, by folder
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (strings.HasPrefix(name, ".") || name == "testdata" || name == "build"):
			return fs.SkipDir
		case d.IsDir(), !strings.HasSuffix(name, ".go"), strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(c.files, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		folder := filepath.Dir(path)
		documented[folder] = documented[folder] || file.Doc.Text() != ""
		if file.Name.Name != "main" { // nobody imports it
			c.file(file)
		}
		return nil
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "documented:", err)
		os.Exit(2)
	}
	for folder, has := range documented {
		c.add(has, folder, "package")
	}
	for _, m := range c.missing {
		fmt.Fprintln(os.Stderr, m)
	}
	fmt.Printf("documented: %d of %d exported symbols have no comment\n", len(c.missing), c.all)
	if len(c.missing) > 0 {
		os.Exit(1)
	}
}

func (c *count) add(documented bool, where, name string) {
	c.all++
	if !documented {
		c.missing = append(c.missing, where+": "+name)
	}
}

func (c *count) symbol(name *ast.Ident, what string, comments ...*ast.CommentGroup) {
	if !name.IsExported() {
		return
	}
	has := false
	for _, g := range comments {
		has = has || strings.TrimSpace(g.Text()) != ""
	}
	c.add(has, c.files.Position(name.Pos()).String(), what+name.Name)
}

func (c *count) file(file *ast.File) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if receiver, exported := receiverOf(d); exported {
				c.symbol(d.Name, receiver, d.Doc)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				c.spec(d, s)
			}
		}
	}
}

func (c *count) spec(d *ast.GenDecl, s ast.Spec) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		c.symbol(s.Name, "", d.Doc, s.Doc, s.Comment)
	case *ast.ValueSpec:
		for _, name := range s.Names {
			c.symbol(name, "", d.Doc, s.Doc, s.Comment)
		}
	}
}

// receiverOf gives the type that a method is of, and whether the function can be called from outside.
func receiverOf(d *ast.FuncDecl) (string, bool) {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return "", true
	}
	t := d.Recv.List[0].Type
	for {
		switch of := t.(type) {
		case *ast.StarExpr:
			t = of.X
		case *ast.IndexExpr:
			t = of.X
		case *ast.IndexListExpr:
			t = of.X
		case *ast.Ident:
			return of.Name + ".", of.IsExported()
		default:
			return "", false
		}
	}
}
