import Foundation

// Lists the symbols of symbol graph files that have no documentation comment, and leaves with 1 if there are any.

struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Location: Decodable {
      struct Position: Decodable { let line: Int }
      let uri: String
      let position: Position
    }
    struct Comment: Decodable {}
    let pathComponents: [String]
    let docComment: Comment?
    let location: Location?
  }
  struct Module: Decodable { let name: String }
  let module: Module
  let symbols: [Symbol]
}

/// What the compiler adds to every `Hashable` enum without an entry in the source.
let synthesized: Set = ["hash(into:)", "hashValue"]
var total = 0
var undocumented: [String] = []
for path in CommandLine.arguments.dropFirst() {
  let graph = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: URL(filePath: path)))
  for symbol in graph.symbols where !synthesized.contains(symbol.pathComponents.last ?? "") {
    total += 1
    guard symbol.docComment == nil else { continue }
    let name = symbol.pathComponents.joined(separator: ".")
    let place = symbol.location.map { " (\(URL(string: $0.uri)?.lastPathComponent ?? $0.uri):\($0.position.line + 1))" }
    undocumented.append("\(graph.module.name): \(name)\(place ?? "")")
  }
}
for line in undocumented.sorted() { print(line) }
print("\(total - undocumented.count) of \(total) public symbols are documented")
exit(undocumented.isEmpty ? 0 : 1)
