package internal

import (
	"go/ast"
	"go/token"
	"testing"
)

// TestStart keeps regular expressions from being compiled before main: every
// command would pay for those of every other. sync.OnceValue compiles one when it
// is first asked.
func TestStart(t *testing.T) {
	for _, s := range sources(t) {
		for _, decl := range s.file.Decls {
			if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
				ast.Inspect(d, func(n ast.Node) bool {
					call, isCall := n.(*ast.CallExpr)
					if isCall && isMustCompile(call) {
						t.Errorf("%s compiles an expression at every start", s.set.Position(call.Pos()))
					}
					_, later := n.(*ast.FuncLit)
					return !later
				})
			}
		}
	}
}

func isMustCompile(call *ast.CallExpr) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || f.Sel.Name != "MustCompile" {
		return false
	}
	pkg, ok := f.X.(*ast.Ident)
	return ok && pkg.Name == "regexp"
}
