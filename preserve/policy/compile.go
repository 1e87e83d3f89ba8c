package policy

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// Limits of expressions. The cost of an expression is estimated before any judging, for the longest
// possible texts. A policy that may cost more is rejected, so judging needs no time limit.
const (
	maxExpression = 2000 // bytes
	maxNesting    = 30   // of parentheses and calls
)

// budget is the rules that are judged together.
type budget struct {
	scope Scope
	tools bool // they use facts of tools: such records are few, and the tools cost far more
}

func (r *Rule) budget() budget { return budget{r.Scope, len(r.Tools) > 0} }

// max returns the maximum cost of all rules of a budget together for one judged item, in CEL units,
// about three per microsecond. Records are by far the most frequent items.
func (b budget) max() uint64 {
	switch {
	case b.scope == ScopeRecord && !b.tools:
		return 50_000
	case b.scope == scopeStored: // each package once
		return 4_000_000
	}
	return 400_000
}

// environment declares the variables. It is built when the first policy is read, so programs
// without a policy do not pay for it. It has CEL's standard functions and two macros; has(), map()
// and filter() would only serve to build large values.
var environment = sync.OnceValues(func() (*cel.Env, error) {
	options := append(standard(), cel.Macros(cel.ExistsMacro, cel.AllMacro))
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		options = append(options, cel.Variable(name, typeOf[variables[name].kind]))
	}
	return cel.NewCustomEnv(options...)
})

// standard returns the options of all environments.
func standard() []cel.EnvOption {
	return []cel.EnvOption{
		cel.StdLib(), cel.ClearMacros(), cel.DefaultUTCTimeZone(true),
		cel.ParserRecursionLimit(maxNesting), cel.ParserExpressionSizeLimit(maxExpression),
		cel.ParserErrorRecoveryLimit(3),
	}
}

var typeOf = map[kind]*cel.Type{
	isText: cel.StringType, isNumber: cel.IntType, isTruth: cel.BoolType, isTime: cel.TimestampType,
	isTexts: cel.ListType(cel.StringType), isFloat: cel.DoubleType,
}

// allowed lists the functions for expressions: tests, counts, and parts of a time. Conversions
// (string, bytes, dyn) are not allowed, because they hide types from the check.
var allowed = func() map[string]bool {
	all := map[string]bool{}
	for _, name := range []string{
		operators.Conditional, operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot, operators.Equals,
		operators.NotEquals,
		operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals, operators.In, operators.Index,
		operators.Add, operators.Subtract, operators.Multiply, operators.Divide, operators.Modulo, operators.Negate,
		operators.NotStrictlyFalse,
		"contains", "startsWith", "endsWith", "matches", "size", "timestamp", "duration", "getFullYear", "getMonth",
		"getDate",
		"getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getHours", "getMinutes", "getSeconds",
	} {
		all[name] = true
	}
	return all
}()

// wrong is an error in an expression, with its line, and the character in that line, both from 1.
type wrong struct {
	line, column int
	message      string
}

// vocabulary is the variables of a policy: those of all policies, and the facts of its tools.
type vocabulary struct {
	own map[string]*variable // the facts of its tools
	env func() (*cel.Env, error)
}

// variable returns a variable by name, or nil.
func (v *vocabulary) variable(name string) *variable {
	if v != nil && v.own[name] != nil {
		return v.own[name]
	}
	return variables[name]
}

// vocabulary returns the variables of the policy, once its tools are known.
func (p *Policy) vocabulary() *vocabulary {
	v := &vocabulary{own: map[string]*variable{}, env: environment}
	for i := range p.Tools {
		t := &p.Tools[i]
		for n := range t.Facts {
			f := t.factVariable(i, n)
			v.own[f.name] = f
		}
	}
	if len(v.own) > 0 {
		v.env = sync.OnceValues(func() (*cel.Env, error) {
			base, err := environment()
			if err != nil {
				return nil, err
			}
			var options []cel.EnvOption
			for _, name := range slices.Sorted(maps.Keys(v.own)) {
				options = append(options, cel.Variable(name, typeOf[v.own[name].kind]))
			}
			return base.Extend(options...)
		})
	}
	return v
}

// compile checks the expression and prepares it for judging.
func (r *Rule) compile(words *vocabulary) []wrong {
	env, err := words.env()
	if err != nil {
		return []wrong{{1, 1, err.Error()}}
	}
	checked, issues := env.Compile(r.When)
	if issues.Err() != nil {
		return r.wrongs(issues, words)
	}
	tree := checked.NativeRep()
	if checked.OutputType() != cel.BoolType {
		return []wrong{{1, 1, fmt.Sprintf("must be true or false, but is of type %s", checked.OutputType())}}
	}
	if all := r.limits(tree, words); len(all) > 0 {
		return all
	}
	estimate, err := env.EstimateCost(checked, sizes{})
	switch {
	case err != nil:
		return []wrong{{1, 1, err.Error()}}
	case estimate.Max > r.budget().max():
		return []wrong{{1, 1, "may cost too much: use shorter patterns, and fewer nested lists"}}
	}
	r.cost = estimate.Max
	if r.program, err = env.Program(checked, cel.EvalOptions(cel.OptOptimize)); err != nil {
		return []wrong{{1, 1, err.Error()}}
	}
	return nil
}

// limits finds violations of the limits of expressions, and records the variables used.
func (r *Rule) limits(tree *ast.AST, words *vocabulary) []wrong {
	var beyond []wrong
	used := map[string]bool{}
	all := expressionLimits(tree, nil, func(e ast.Expr) {
		reference := tree.ReferenceMap()[e.ID()]
		if reference == nil {
			return
		}
		v := words.variable(reference.Name)
		if v == nil || used[v.name] {
			return
		}
		used[v.name] = true
		if v.tool > 0 && !slices.Contains(r.Tools, v.tool-1) {
			r.Tools = append(r.Tools, v.tool-1)
		}
		if !slices.Contains(v.scopes, r.Scope) {
			beyond = append(beyond, wrongAt(tree, e, "%s has no value in the scope %s, only in: %s", v.name, r.Scope,
				listed(v.scopes)))
		}
	})
	all = append(beyond, all...)
	if len(used) == 0 && len(all) == 0 {
		all = append(all, wrongAt(tree, tree.Expr(), "uses no variable, so its result is always the same"))
	}
	r.Uses = slices.Sorted(maps.Keys(used))
	slices.Sort(r.Tools)
	return all
}

// expressionLimits finds violations of the limits of all expressions; further lists functions that
// are allowed besides. It calls visit with each part.
func expressionLimits(tree *ast.AST, further []string, visit func(ast.Expr)) (all []wrong) {
	ast.PreOrderVisit(tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		visit(e)
		switch e.Kind() {
		case ast.CallKind:
			call := e.AsCall()
			if name := call.FunctionName(); !allowed[name] && !slices.Contains(further, name) {
				all = append(all, wrongAt(tree, e, "%s is not a function for policies", name))
			}
			if args := call.Args(); call.FunctionName() == "matches" && args[len(args)-1].Kind() != ast.LiteralKind {
				all = append(all, wrongAt(tree, e, "the pattern of matches must be a literal"))
			}
		case ast.MapKind, ast.StructKind:
			all = append(all, wrongAt(tree, e, "maps are not allowed"))
		}
	}))
	return all
}

// wrongAt returns an error in a part of an expression.
func wrongAt(tree *ast.AST, e ast.Expr, format string, args ...any) wrong {
	at, column := tree.SourceInfo().GetStartLocation(e.ID()), 1
	if e.Kind() == ast.IdentKind { // the position of a dotted name is the position of its last dot
		column -= max(strings.LastIndexByte(e.AsIdent(), '.'), 0)
	}
	return wrong{at.Line(), max(at.Column()+column, 1), fmt.Sprintf(format, args...)}
}

func listed(scopes []Scope) string {
	all := make([]string, len(scopes))
	for i, s := range scopes {
		all[i] = string(s)
	}
	return strings.Join(all, ", ")
}

// wrongs rewords CEL's messages. CEL's own names for variables with a dot would confuse.
func (r *Rule) wrongs(issues *cel.Issues, words *vocabulary) []wrong {
	var all []wrong
	for _, e := range issues.Errors() {
		message, _, _ := strings.Cut(e.Message, " (in container '')")
		if len(message) > maxShort {
			message = strings.ToValidUTF8(message[:maxShort], "") + "…"
		}
		if message == "reserved identifier: package" {
			message = "CEL reserves the word package: the package is called pkg, as in pkg.records"
		}
		if rest, undeclared := strings.CutPrefix(message, "undeclared reference to '"); undeclared {
			message = r.undeclared(words, strings.TrimSuffix(rest, "'"), e.Location.Line(), e.Location.Column())
		}
		all = append(all, wrong{max(e.Location.Line(), 1), max(e.Location.Column()+1, 1), message})
	}
	return all
}

// undeclared returns the message for an unknown name in its full form: CEL reports only the part
// before the first dot.
func (r *Rule) undeclared(words *vocabulary, name string, line, column int) string {
	lines := strings.Split(r.When, "\n")
	if line < 1 || line > len(lines) {
		return fmt.Sprintf("%q is not a name for rules", name)
	}
	text := []rune(lines[line-1])
	text = text[min(max(column, 0), len(text)):]
	if !strings.HasPrefix(string(text), name) { // CEL reports functions at their brackets
		return fmt.Sprintf("%q is not a function for policies", name)
	}
	end := slices.IndexFunc(text, func(c rune) bool {
		return c != '.' && c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	})
	if end >= 0 {
		text = text[:end]
	}
	return fmt.Sprintf("%.60q is not a variable; the variables of this scope are: %s", string(text),
		strings.Join(r.known(words, name), ", "))
}

// known lists the variables of the scope that have the same first part as the name. If there are
// none, it lists the families of variables.
func (r *Rule) known(words *vocabulary, name string) []string {
	family, _, _ := strings.Cut(name, ".")
	var alike, families []string
	for _, v := range slices.Concat(Variables(), words.facts()) {
		if !slices.Contains(v.Scopes, r.Scope) {
			continue
		}
		of, _, _ := strings.Cut(v.Name, ".")
		if of == family {
			alike = append(alike, v.Name)
		}
		if of += ".…"; !slices.Contains(families, of) {
			families = append(families, of)
		}
	}
	if len(alike) > 0 {
		return alike
	}
	return families
}

// sizes gives CEL the maximum sizes of texts and lists.
type sizes struct{}

// EstimateSize implements checker.CostEstimator.
func (sizes) EstimateSize(node checker.AstNode) *checker.SizeEstimate {
	switch node.Type().Kind() {
	case types.ListKind:
		return &checker.SizeEstimate{Max: maxTexts}
	case types.StringKind:
		return &checker.SizeEstimate{Max: maxText}
	}
	return nil
}

// EstimateCallCost implements checker.CostEstimator.
func (sizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}

var _ checker.CostEstimator = sizes{}
