import TestSupport
import Testing

@testable import AudioGraph

@Suite(.timeLimit(.minutes(10))) struct TopologicalOrderTests {
  @Test("every item of a random graph comes once, after all that it reads from", arguments: 0..<50)
  func sourcesFirst(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let count = Int.random(in: 1...40, using: &generator)
    let names = Array(0..<count).shuffled(using: &generator)
    // Position i may read from any position before it; the items are then listed in another order.
    let items = (0..<count).map { position in
      TopologicalOrder.Item(
        key: names[position], name: "\(names[position])", isSink: Bool.random(using: &generator),
        sources: position == 0
          ? []
          : (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            names[Int.random(in: 0..<position, using: &generator)]
          })
    }
    let order = try TopologicalOrder.sort(items.shuffled(using: &generator))
    #expect(order.sorted() == Array(0..<count), "seed \(seed)")
    for item in items {
      let place = try #require(order.firstIndex(of: item.key))
      for source in item.sources {
        let before = try #require(order.firstIndex(of: source))
        #expect(before < place, "seed \(seed): \(item.key) comes before its source \(source)")
      }
    }
  }

  @Test("a chain is followed to its end before the next one begins")
  func depthFirst() throws {
    let items = ["a1", "b1", "a2", "b2", "a3", "b3"].map { name in
      TopologicalOrder.Item(
        key: name, name: name, isSink: name.hasSuffix("3"),
        sources: name.hasSuffix("1") ? [] : ["\(name.first!)\(Int(String(name.last!))! - 1)"])
    }
    #expect(try TopologicalOrder.sort(items) == ["a1", "a2", "a3", "b1", "b2", "b3"])
  }

  @Test("sinks come first among items that wait for the same item")
  func sinksFirst() throws {
    let items = [
      TopologicalOrder.Item(key: "source", name: "", isSink: false, sources: []),
      TopologicalOrder.Item(key: "gain", name: "", isSink: false, sources: ["source"]),
      TopologicalOrder.Item(key: "end", name: "", isSink: true, sources: ["gain"]),
      TopologicalOrder.Item(key: "look", name: "", isSink: true, sources: ["source"]),
    ]
    #expect(try TopologicalOrder.sort(items) == ["source", "look", "gain", "end"])
  }

  @Test("a random loop is found and every name in it reads from the one before", arguments: 0..<50)
  func loops(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed) &+ 1_000)
    let length = Int.random(in: 1...6, using: &generator)
    let tail = Int.random(in: 0...6, using: &generator)
    var items = (0..<length).map { key in
      TopologicalOrder.Item(key: key, name: "n\(key)", isSink: false, sources: [(key + length - 1) % length])
    }
    // Some hang off the loop; they wait as well but are not in it.
    for key in length..<(length + tail) {
      items.append(
        .init(key: key, name: "n\(key)", isSink: false, sources: [Int.random(in: 0..<key, using: &generator)]))
    }
    let error = #expect(throws: GraphError.self) {
      _ = try TopologicalOrder.sort(items.shuffled(using: &generator))
    }
    guard case .cycle(let names) = error else { return }
    #expect(names.count == length + 1, "seed \(seed): \(names)")
    #expect(names.first == names.last)
    for (from, to) in zip(names, names.dropFirst()) {
      let reader = try #require(items.first { $0.name == to })
      #expect(reader.sources.contains { "n\($0)" == from }, "seed \(seed): \(names)")
    }
  }
}
