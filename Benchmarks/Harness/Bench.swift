import CountingAllocator
import Glibc

/// Takes the samples of every subject, and collects the figures.
///
/// A sample is the time of a turn, so many iterations in one go, divided by their number. Ours and the twin's turns
/// alternate in pairs (A B, B A), and the ratio is the median of the pairs': what disturbs the machine disturbs both.
final class Bench {
  let options: BenchOptions
  private(set) var figures: [Figure] = []
  private var subject = ""

  init(_ options: BenchOptions) { self.options = options }

  func begin(_ subject: String) { self.subject = subject }

  /// Whether a figure is asked for.
  func wants(_ name: String) -> Bool { options.filter.isEmpty || fullName(name).contains(options.filter) }

  /// Measures `ours` against `twin`; each is called with the number of iterations to run.
  ///
  /// - Parameters:
  ///   - isPerFrame: true where an iteration is what one frame of 10 ms costs.
  ///   - target: the most that the ratio is meant to be.
  func compare(
    _ name: String, to twinName: String, turns: Int = 300, iterations: Int, isPerFrame: Bool = false,
    target: Double? = nil, ours: (Int) -> Void, twin: (Int) -> Void
  ) {
    withoutActuallyEscaping(ours) { ours in
      compareTimes(
        name, to: twinName, turns: turns, isPerFrame: isPerFrame, target: target, allocating: { ours(iterations) },
        ours: { Self.time(iterations, ours) }, twin: { Self.time(iterations, twin) })
    }
  }

  /// As `compare`, for turns that measure their own time: nanoseconds per iteration.
  func compareTimes(
    _ name: String, to twinName: String, turns: Int, isPerFrame: Bool = false, target: Double? = nil,
    allocating: (() -> Void)? = nil, ours: () -> Double, twin: () -> Double
  ) {
    guard wants(name) else { return }
    _ = (ours(), twin())
    var (mine, theirs, ratios): ([Double], [Double], [Double]) = ([], [], [])
    for turn in 0..<scaled(turns) {
      let (first, second) = turn % 2 == 0 ? (ours(), twin()) : swapped(twin(), ours())
      mine.append(first)
      theirs.append(second)
      ratios.append(first / second)
    }
    var figure = Self.figure(fullName(name), mine, isPerFrame: isPerFrame)
    figure.twin = Self.quantile(0.5, of: theirs) / (isPerFrame ? 1_000 : 1)
    figure.twinName = twinName
    figure.ratio = Self.quantile(0.5, of: ratios)
    figure.target = target
    if let allocating { figure.allocations = Self.allocations(of: allocating) }
    add(figure)
  }

  /// Measures `ours` by itself.
  func measure(
    _ name: String, turns: Int = 300, iterations: Int, isPerFrame: Bool = false, ours: (Int) -> Void
  ) {
    guard wants(name) else { return }
    ours(iterations)
    let times = (0..<scaled(turns)).map { _ in Self.time(iterations, ours) }
    var figure = Self.figure(fullName(name), times, isPerFrame: isPerFrame)
    figure.allocations = Self.allocations { ours(iterations) }
    add(figure)
  }

  /// Notes a value that was measured otherwise, with the most that it is meant to be.
  func note(_ name: String, _ value: Double, unit: String, target: Double? = nil) {
    guard wants(name) else { return }
    add(Figure(name: fullName(name), unit: unit, median: value, target: target))
  }

  /// Notes a value beside its twin's.
  func note(
    _ name: String, _ value: Double, unit: String, besides twin: Double, of twinName: String, target: Double? = nil
  ) {
    guard wants(name) else { return }
    add(
      Figure(
        name: fullName(name), unit: unit, median: value, twin: twin, twinName: twinName, ratio: value / twin,
        target: target))
  }

  /// Stops everything where a result is wrong.
  func check(_ isRight: Bool, _ what: String) throws(WrongResult) {
    if !isRight { throw WrongResult("\(subject): \(what)") }
  }

  static func nanoseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  static func quantile(_ share: Double, of values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }

  /// Turns to take in this mode.
  func scaled(_ turns: Int) -> Int { options.isQuick ? max(5, turns / 10) : turns }

  private func fullName(_ name: String) -> String { "\(subject): \(name)" }

  private func add(_ figure: Figure) {
    figures.append(figure)
    FigureTable.print(figure)
  }

  private func swapped(_ first: Double, _ second: Double) -> (Double, Double) { (second, first) }

  private static func time(_ iterations: Int, _ body: (Int) -> Void) -> Double {
    let start = nanoseconds()
    body(iterations)
    return (nanoseconds() - start) / Double(iterations)
  }

  private static func figure(_ name: String, _ nanoseconds: [Double], isPerFrame: Bool) -> Figure {
    let scale = isPerFrame ? 1_000.0 : 1
    let median = quantile(0.5, of: nanoseconds)
    return Figure(
      name: name, unit: isPerFrame ? "µs" : "ns", median: median / scale,
      p99: quantile(0.99, of: nanoseconds) / scale, maximum: nanoseconds.max()! / scale,
      load: isPerFrame ? median / 10_000_000 : nil)
  }

  /// Counts the allocations of a call.
  static func allocations(of body: () -> Void) -> Int {
    counting_arm()
    body()
    return counting_disarm().calls
  }
}
