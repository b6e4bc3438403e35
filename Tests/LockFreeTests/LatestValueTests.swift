import Glibc
import LockFree
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct LatestValueTests {
  @Test("the reader sees the initial value until the first write")
  func initial() {
    let value = LatestValue(7)
    var writer = value.takeWriter()
    var reader = value.takeReader()
    for _ in 0..<3 {
      let seen = reader.read()
      #expect(seen == 7)
    }
    writer.write(8)
    let seen = reader.read()
    #expect(seen == 8)
  }

  @Test("the newest of several writes wins, and stays readable", arguments: 1...7)
  func newestWins(writes: Int) {
    let value = LatestValue(-1)
    var writer = value.takeWriter()
    var reader = value.takeReader()
    for round in 0..<20 {
      for write in 0..<writes { writer.write(100 * round + write) }
      for _ in 0..<3 {
        let seen = reader.read()
        #expect(seen == 100 * round + writes - 1)
      }
    }
  }

  @Test("a value is never torn and never goes back, and the last one arrives")
  func neverTorn() {
    let value = LatestValue(InlineArray<16, Int>(repeating: 0))
    let writer = ThreadOwned(value.takeWriter())
    let reader = ThreadOwned(value.takeReader())
    let faults = ThreadOwned(0)
    let last = 200_000
    runThreads(
      { for count in 1...last { writer.value.write(InlineArray(repeating: count)) } },
      {
        var newest = 0
        while newest < last {
          let seen = reader.value.read()
          for index in seen.indices where seen[index] != seen[0] { faults.value += 1 }
          if seen[0] < newest { faults.value += 1 }
          newest = max(newest, seen[0])
        }
      })
    #expect(faults.value == 0)
  }

  @Test("the writer can be taken once only")
  func oneWriter() async {
    await #expect(processExitsWith: .failure) {
      let value = LatestValue(0)
      _ = value.takeWriter()
      _ = value.takeWriter()
    }
  }

  @Test("the reader can be taken once only")
  func oneReader() async {
    await #expect(processExitsWith: .failure) {
      let value = LatestValue(0)
      _ = value.takeReader()
      _ = value.takeReader()
    }
  }
}
