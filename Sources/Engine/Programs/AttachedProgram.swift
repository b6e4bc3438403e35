import AudioGraph
public import FrameObservers
import Synchronization

/// A program that is given frames of a pipeline: its processes, one for each position and source.
///
/// Processes start with their first frame. Thread: any, but `finish` once and at the end.
public final class AttachedProgram: Sendable {
  /// What was attached.
  public let program: FrameProgram
  private let sampleRate: Int
  private let endPosition: @Sendable () -> Int?
  private let isCancelled = Atomic<Bool>(false)
  private let isFailed = Atomic<Bool>(false)
  private let state = Mutex(State())

  // SAFETY (@unchecked Sendable): a feed is reached with the lock held only.
  private struct State: @unchecked Sendable {
    var feeds: [(source: FrameSource, feed: ProgramFeed)] = []
    var sources: [FrameSource] = []
    var startFailure: FrameProgramError.Reason?
    var registration: ObserverRegistration?
    var given: [Int16] = []
    var answer: [Int16] = []
  }

  init(_ program: FrameProgram, sampleRate: Int, endPosition: @escaping @Sendable () -> Int?) {
    self.program = program
    self.sampleRate = sampleRate
    self.endPosition = endPosition
  }

  /// True once a filter has failed: its frames pass unchanged from then on.
  public var hasFailed: Bool { isFailed.load(ordering: .relaxed) }

  /// Sources whose frames have come by so far.
  public var sources: [FrameSource] { state.withLock { $0.sources } }

  /// The observer that the program is: its figures. Nil before it is attached.
  public var registration: ObserverRegistration? { state.withLock { $0.registration } }

  func register(_ registration: ObserverRegistration) { state.withLock { $0.registration = registration } }

  /// Does not let slow processes hold the job up any longer than a second.
  public func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// Ends the processes' input and waits for their ends. Call it after the pipeline's last tick.
  ///
  /// - Parameter shouldStop: asked while a process takes its time; true is as `cancel`.
  /// - Throws: the first failure, in the order of the sources.
  public func finish(shouldStop: () -> Bool = { false }) throws(FrameProgramError) {
    let reason = state.withLock { state in
      var reason = state.startFailure
      for (_, feed) in state.feeds {
        let failure = feed.finish { isCancelled.load(ordering: .relaxed) || shouldStop() }
        reason = reason ?? failure
      }
      state.feeds = []
      return reason
    }
    if let reason { throw FrameProgramError(reason, command: program.command, role: program.role) }
  }

  /// The observer that carries the frames.
  var request: ObserverRequest {
    switch program.role {
    case .reader:
      .look(at: program.positions, isAsynchronous: true) { [self] frame, source in
        let wanted = range(frame.samplePosition, frame.samplesPerChannel, frame.channelCount)
        guard !wanted.isEmpty else { return }
        state.withLock { state in
          guard let feed = feed(of: source, channelCount: frame.channelCount, &state) else { return }
          frame.samples.extracting(wanted).withUnsafeBytes { feed.give($0) }
        }
      }
    case .filter:
      .change(at: program.positions) { [self] frame, source in
        guard !hasFailed else { return }
        state.withLock { state in change(&frame, source, &state) }
      }
    }
  }

  private func change(_ frame: inout MutableAudioFrame, _ source: FrameSource, _ state: inout State) {
    guard let feed = feed(of: source, channelCount: frame.channelCount, &state) else { return fail() }
    let count = frame.samplesPerChannel * frame.channelCount
    if state.given.count < count {
      state.given = [Int16](repeating: 0, count: count)
      state.answer = state.given
    }
    var samples = frame.samples
    for index in 0..<count { state.given[index] = samples[index] }
    let limit = program.answerLimitMilliseconds
    let isAnswered = state.given.withUnsafeBytes { given in
      state.answer.withUnsafeMutableBytes { answer in
        feed.exchange(UnsafeRawBufferPointer(rebasing: given[..<(count * 2)]), answer: answer, limitMilliseconds: limit)
      }
    }
    guard isAnswered else { return fail() }
    for index in 0..<count { samples[index] = state.answer[index] }
  }

  private func fail() { isFailed.store(true, ordering: .relaxed) }

  /// The interleaved samples of a frame that belong to the stream: neither the graph's delay nor what drains it.
  private func range(_ position: Int, _ count: Int, _ channelCount: Int) -> Range<Int> {
    let begin = min(count, max(0, -position))
    let end = min(count, max(begin, (endPosition() ?? .max / 2) - position))
    return begin * channelCount..<end * channelCount
  }

  private func feed(of source: FrameSource, channelCount: Int, _ state: inout State) -> ProgramFeed? {
    if let known = state.feeds.first(where: { $0.source == source }) { return known.feed }
    guard state.startFailure == nil else { return nil }
    var environment = program.environment
    environment["AUDIOPIPE_POSITION"] = source.position.name
    environment["AUDIOPIPE_UID"] = "\(source.uid)"
    environment["AUDIOPIPE_RATE"] = "\(sampleRate)"
    environment["AUDIOPIPE_CHANNELS"] = "\(channelCount)"
    let (child, failure) = ChildProcess.start(
      program.command, environment: environment, standardOutput: program.role == .reader ? program.standardOutput : nil)
    guard let child else {
      state.startFailure = .start(failure)
      return nil
    }
    let feed = ProgramFeed(child) { [weak self] in self?.isCancelled.load(ordering: .relaxed) ?? true }
    state.feeds.append((source, feed))
    state.sources.append(source)
    return feed
  }
}
