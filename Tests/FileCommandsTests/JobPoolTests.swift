import AudioGraph
import CommandTestSupport
import TestSupport
import Testing

@testable import CommandLineKit
@testable import Commands
@testable import FileCommands
@testable import SoundOptions

@Suite("JobPool", .timeLimit(.minutes(10)))
struct JobPoolTests {
  /// What is done for a while: the later the job, the less.
  private static func spin(_ index: Int, of count: Int) -> Int {
    var generator = SeededGenerator(seed: UInt64(index))
    var sum = index
    for _ in 0..<(count - index) * 2_000 { sum ^= Int(truncatingIfNeeded: generator.next()) }
    return sum
  }

  @Test(
    "each job is done once and reported in order for any worker count", .shows("analyze: jobs"),
    arguments: [1, 2, 7, 64])
  func order(workers: Int) throws {
    let told = Guarded<[Int]>([])
    let done = Guarded<[Int]>([])
    let pool = JobPool(
      jobCount: 40, workerCount: workers,
      work: { index in
        done.withLock { $0.append(index) }
        return Self.spin(index, of: 40)
      },
      onEnd: { index, outcome in
        let value = try outcome.get()
        #expect(value == Self.spin(index, of: 40))
        told.withLock { $0.append(index) }
      })
    let outcomes = try pool.run()
    #expect(told.withLock { $0 } == Array(0..<40) && done.withLock { $0.sorted() } == Array(0..<40))
    let values = outcomes.map { try? $0?.get() }
    #expect(values == (0..<40).map { Self.spin($0, of: 40) })
  }

  @Test("A job that fails does not stop the others", arguments: [1, 3])
  func failures(workers: Int) throws {
    let pool = JobPool(jobCount: 9, workerCount: workers) { index in
      if index % 3 == 1 { throw CommandFailure(.noInput, "no \(index)") }
      return index
    }
    let outcomes = try pool.run()
    for (index, outcome) in outcomes.enumerated() {
      let wanted: Result<Int, CommandFailure> =
        index % 3 == 1 ? .failure(CommandFailure(.noInput, "no \(index)")) : .success(index)
      #expect(outcome == wanted)
    }
  }

  @Test("an error while a result is reported ends the run", arguments: [1, 4])
  func untold(workers: Int) {
    let told = Guarded<[Int]>([])
    let pool = JobPool(
      jobCount: 10_000, workerCount: workers, work: { $0 },
      onEnd: { index, _ in
        told.withLock { $0.append(index) }
        if index == 5 { throw BrokenPipe() }
      })
    #expect(throws: BrokenPipe.self) { try pool.run() }
    #expect(told.withLock { $0 } == Array(0...5))
  }
}
