import AudioGraph
import Testing

@Suite(.timeLimit(.minutes(10))) struct LedgerTests {
  @Test("an edge that nothing has passed is balanced")
  func empty() {
    #expect(Ledger().imbalance() == 0)
    #expect(Ledger().imbalance(from: 44_100, to: 48_000) == 0)
  }

  @Test("each account counts on its side", arguments: Ledger.Cause.allCases)
  func sides(cause: Ledger.Cause) {
    var ledger = Ledger()
    ledger.input = 1_000
    #expect(ledger.imbalance() == 1_000)
    ledger.output = 700
    #expect(ledger.imbalance() == 300)
    ledger.held = 100
    #expect(ledger.imbalance() == 200)
    ledger.dropped = 50
    #expect(ledger.imbalance() == 150)
    ledger.removed[cause] = 160
    #expect(ledger.removedTotal == 160)
    #expect(ledger.imbalance() == -10)
    ledger.inserted[cause] = 10
    #expect(ledger.insertedTotal == 10)
    #expect(ledger.imbalance() == 0)
  }

  @Test("causes add up")
  func causes() {
    var ledger = Ledger()
    for (index, cause) in Ledger.Cause.allCases.enumerated() {
      ledger.inserted[cause] = 1 << index
      ledger.removed[cause] = 100 << index
    }
    let all = (1 << Ledger.Cause.allCases.count) - 1
    #expect(ledger.insertedTotal == all)
    #expect(ledger.removedTotal == 100 * all)
  }

  @Test(
    "a conversion owes floor(in L / M)",
    arguments: [(44_100, 48_000), (48_000, 16_000), (11_025, 8_000), (8_000, 48_000), (22_050, 22_050)])
  func conversion(input: Int, output: Int) {
    for count in [0, 1, 2, 146, 147, 148, 44_100, 1_587_600_000] {
      var ledger = Ledger()
      ledger.input = count
      // The naive floor: the largest whole number n with n M <= in L.
      let product = count.multipliedFullWidth(by: output)
      ledger.output = input.dividingFullWidth(product).quotient
      #expect(ledger.imbalance(from: input, to: output) == 0)
      ledger.output += 1
      #expect(ledger.imbalance(from: input, to: output) == -1)
    }
  }
}
