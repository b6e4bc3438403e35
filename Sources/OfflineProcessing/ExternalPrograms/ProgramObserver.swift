import AudioGraph
public import FrameObservers
import Synchronization

/// A program that receives frames of a pipeline: its processes, one for each position and source.
///
/// Processes start with their first frame. Thread: any, but `finish` once and at the end.
public final class ProgramObserver: Sendable {
  /// Description of the attached program.
  public let program: FrameProgram
  /// Format of the frames; nil: the pipeline's.
  private let params: AudioParams?
  private let sampleRate: Int
  private let endPosition: @Sendable () -> Int?
  private let shouldStop: @Sendable () -> Bool
  private let onWait: @Sendable (String) -> Void
  private let hasToldWait = Atomic<Bool>(false)
  private let isCancelled = Atomic<Bool>(false)
  private let isFailed = Atomic<Bool>(false)
  private let state = Guarded(State())

  // SAFETY (@unchecked Sendable): a feed is reached with the lock held only.
  private struct State: @unchecked Sendable {
    var feeds: [Feed] = []
    var isFinished = false
    var startFailure: FrameProgramError.Reason?
    var registration: ObserverRegistration?
    var given: [Int16] = []
    var answer: [Int16] = []
  }

  private struct Feed {
    let source: FrameOrigin
    let channelCount: Int
    let pipes: ProgramPipe
  }

  init(
    _ program: FrameProgram, params: AudioParams? = nil, sampleRate: Int, endPosition: @escaping @Sendable () -> Int?,
    shouldStop: @escaping @Sendable () -> Bool, onWait: @escaping @Sendable (String) -> Void
  ) {
    self.program = program
    self.params = params
    self.sampleRate = sampleRate
    self.endPosition = endPosition
    self.shouldStop = shouldStop
    self.onWait = onWait
  }

  /// Whether a filter has failed; its frames pass unchanged from then on.
  public var hasFailed: Bool { isFailed.load(ordering: .relaxed) }

  /// Sources with frames so far.
  public var sources: [FrameOrigin] { state.withLock { $0.feeds.map(\.source) } }

  /// Registration of the program's observer, with its statistics; nil before it is attached.
  public var registration: ObserverRegistration? { state.withLock { $0.registration } }

  func register(_ registration: ObserverRegistration) { state.withLock { $0.registration = registration } }

  /// Limits the further wait for slow processes to one second.
  public func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// Ends the processes' input and waits for their ends. Call it after the pipeline's last tick.
  ///
  /// - Throws: the first failure, in the order of the sources.
  public func finish() throws(FrameProgramError) {
    let reason = state.withLock { state in
      var reason = state.startFailure
      guard !state.isFinished else { return reason }
      state.isFinished = true
      for feed in state.feeds {
        let failure = feed.pipes.finish()
        reason = reason ?? failure
      }
      return reason
    }
    if let reason { throw FrameProgramError(reason, command: program.command, role: program.role) }
  }

  /// Returns the sample counts of each source, from the frames at the position and the bytes in the pipes.
  ///
  /// A reader's program receives the stream alone, a filter whole frames. Frames that a reader does not take are
  /// dropped.
  func edges(named name: String, of counts: PositionCounts) -> [LedgerEdge] {
    state.withLock { state in
      state.feeds.map { feed in
        let passed = counts.totals(of: feed.source)
        let bytesPerSample = feed.channelCount * MemoryLayout<Int16>.size
        var ledger = Ledger()
        ledger.input = program.role == .reader ? passed.inside : passed.all
        ledger.output = feed.pipes.passedBytes / bytesPerSample
        ledger.dropped = feed.pipes.offeredBytes / bytesPerSample - ledger.output
        let user = feed.source.uid == 0 ? "" : " of user \(feed.source.uid)"
        return LedgerEdge("\(name): \(feed.source.position.name)\(user)", from: sampleRate, to: sampleRate, ledger)
      }
    }
  }

  /// Request for the observer that carries the frames.
  var request: ObserverRequest {
    switch program.role {
    case .reader:
      .readOnly(
        at: program.positions,
        params: Dictionary(
          uniqueKeysWithValues: ObserverPosition.each.compactMap { position in params.map { (position, $0) } }),
        isAsynchronous: true
      ) { [self] frame, source in
        let wanted = range(frame.samplePosition, frame.samplesPerChannel, frame.channelCount)
        guard !wanted.isEmpty else { return }
        state.withLock { state in
          guard let feed = feed(of: source, channelCount: frame.channelCount, &state) else { return }
          frame.samples.extracting(wanted).withUnsafeBytes { feed.give($0) }
        }
      }
    case .filter:
      .readWrite(at: program.positions) { [self] frame, source in
        guard !hasFailed else { return }
        state.withLock { state in change(&frame, source, &state) }
      }
    }
  }

  private func change(_ frame: inout MutableAudioFrame, _ source: FrameOrigin, _ state: inout State) {
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
    guard isAnswered || feed.failure == nil else { return fail() }
    // A frame without an answer becomes silence, so that it is not heard unfiltered.
    for index in 0..<count { samples[index] = isAnswered ? state.answer[index] : 0 }
  }

  /// Reports a wait once, for any number of processes.
  private func tellWait() {
    guard !hasToldWait.exchange(true, ordering: .relaxed) else { return }
    let seconds = FrameProgramError.seconds(program.answerLimitMilliseconds)
    let name = FrameProgramError.short(program.command)
    onWait("waits for the program '\(name)' to read on or to end, for \(seconds) by now")
  }

  private func fail() { isFailed.store(true, ordering: .relaxed) }

  /// Returns the interleaved samples of a frame that belong to the stream: neither the graph's delay nor the silence
  /// that drains it.
  private func range(_ position: Int, _ count: Int, _ channelCount: Int) -> Range<Int> {
    let begin = min(count, max(0, -position))
    let end = min(count, max(begin, (endPosition() ?? .max / 2) - position))
    return begin * channelCount..<end * channelCount
  }

  private func feed(of source: FrameOrigin, channelCount: Int, _ state: inout State) -> ProgramPipe? {
    if let known = state.feeds.first(where: { $0.source == source }) { return known.pipes }
    guard state.startFailure == nil else { return nil }
    var environment = program.environment
    environment["AUDIOPIPE_POSITION"] = source.position.name
    environment["AUDIOPIPE_UID"] = "\(source.uid)"
    environment["AUDIOPIPE_RATE"] = "\(params?.sampleRate ?? sampleRate)"
    environment["AUDIOPIPE_CHANNELS"] = "\(channelCount)"
    let (child, failure) = ChildProcess.start(
      program.command, environment: environment, standardOutput: program.role == .reader ? program.standardOutput : nil)
    guard let child else {
      state.startFailure = .start(failure)
      return nil
    }
    let feed = ProgramPipe(
      child, patienceMilliseconds: program.answerLimitMilliseconds, onWait: { [weak self] in self?.tellWait() }
    ) { [weak self] in
      self.map { $0.isCancelled.load(ordering: .relaxed) || $0.shouldStop() } ?? true
    }
    state.feeds.append(Feed(source: source, channelCount: channelCount, pipes: feed))
    return feed
  }
}
