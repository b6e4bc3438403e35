import AudioGraph
public import Engine
import NetworkIO
public import Platform
import RTP

/// An RTP endpoint that runs by itself: one address for both directions, and a user of the pipeline for each source.
///
///     remote party ═▶ UDP ─▶ [SRTP] ─▶ source by SSRC ─▶ user of the pipeline
///                  ◀═ [SRTP] ◀═ packets of the local source, retransmissions, reports
///
/// It answers the first party that sends to it, in the format of that party: Opus, G.711 or L16. Packets go to the
/// address that those of the party come from (symmetric RTP, RFC 4961). Reports use the next port, or the same one with
/// `usesRTCPMux`.
///
/// ```swift
/// let pipeline = try AudioPipeline()
/// let voice = try pipeline.setLocalSource(.push(AudioFormat(sampleRate: 16_000, channelCount: 1)))
/// let endpoint = try RTPEndpoint(pipeline, at: "0.0.0.0:5004")
/// try pipeline.start()
/// try endpoint.start()
/// try await voice.push([Int16](repeating: 0, count: 16_000))
/// endpoint.stop()
/// pipeline.stop()
/// ```
/// Thread: any. `stop` it before the pipeline's `stop`.
public final class RTPEndpoint: Sendable {
  /// Address that the endpoint listens at.
  public let localAddress: SocketAddress
  private let state: Guarded<State>
  private let events: EndpointEvents
  private let isStopping = Guarded(false)

  private struct State: @unchecked Sendable {
    // SAFETY (@unchecked Sendable): the pump is used by one thread at a time, behind the lock.
    let pump: EndpointPump
    var thread: BackgroundThread?
    var isFinished = false
  }

  /// Longest wait for datagrams, in nanoseconds: packets of the pipeline are sent within it.
  private static let longestWait = 2_500_000

  /// Creates an endpoint that listens, but takes no packet before `start` or `pump`.
  ///
  /// - Parameters:
  ///   - pipeline: Pipeline of the users and of the local source; live, at 48 kHz.
  ///   - address: Local address; with port 0 the system chooses a port.
  ///   - options: Options of the endpoint.
  ///   - clock: Clock of the pipeline.
  ///   - random: Source of the SSRC, and of the spread of reports over time.
  /// - Throws: `NetworkError` if the address cannot be used; `EngineError` for options out of range and for offline
  ///   pipelines.
  public init(
    _ pipeline: AudioPipeline, at address: SocketAddress, options: sending RTPEndpointOptions = RTPEndpointOptions(),
    clock: any EngineClock = SystemClock(),
    random: sending any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) throws {
    guard !pipeline.options.isOffline else {
      throw EngineError(.invalidArgument, "an RTP endpoint needs a live pipeline; make it with mode: .live")
    }
    guard pipeline.options.sampleRate == OpusRTP.clockRate else {
      throw EngineError(
        .invalidArgument,
        "an RTP endpoint needs a pipeline of \(OpusRTP.clockRate) Hz, not of \(pipeline.options.sampleRate)")
    }
    try options.validate()
    let events = EndpointEvents(remoteAddress: options.remoteAddress)
    self.events = events
    let pump = try EndpointPump(pipeline, at: address, options, clock: clock, random: random) { events.post($0) }
    localAddress = pump.localAddress
    state = Guarded(State(pump: pump))
  }

  /// Creates an endpoint at an address such as `0.0.0.0:5004`.
  ///
  /// - Parameters:
  ///   - pipeline: Pipeline of the users and of the local source; live, at 48 kHz.
  ///   - address: Local address and port.
  ///   - options: Options of the endpoint.
  /// - Throws: `NetworkError`, `EngineError` as the other initializer, and for text that is not an address.
  public convenience init(
    _ pipeline: AudioPipeline, at address: String, options: sending RTPEndpointOptions = RTPEndpointOptions()
  ) throws {
    try self.init(pipeline, at: try SocketAddress(address), options: options)
  }

  deinit { stop() }

  /// Whether RTCP has a port: without one, as if the next port is taken, lost packets are not requested, and the
  /// remote party gets no reports.
  public var hasReportPort: Bool { state.withLock { $0.pump.hasReportPort } }

  /// Address that packets go to; nil before it is known.
  public var remoteAddress: SocketAddress? { events.remoteAddress }

  /// Calls a handler with every event, on the endpoint's thread, or on the one that pumps. The handler may call the
  /// pipeline and the endpoint.
  public func onEvent(_ handler: @escaping @Sendable (RTPEndpointEvent) -> Void) { events.add(handler) }

  /// Starts the thread of the endpoint.
  ///
  /// - Throws: `.wrongState` if it runs or has stopped; `.refused` if the system does not provide a thread.
  public func start() throws(EngineError) {
    let failure = state.withLock { state -> EngineError? in
      guard state.thread == nil, !state.isFinished else {
        return EngineError(.wrongState, "the endpoint runs already, or has stopped; make another")
      }
      do {
        state.thread = try BackgroundThread(named: "rtp") { [weak self, isStopping] in
          while !isStopping.withLock({ $0 }) {
            guard let self else { return }
            self.pump(atMostNanoseconds: Self.longestWait)
          }
        }
        return nil
      } catch {
        return EngineError(.refused, "\(error)", cause: error)
      }
    }
    if let failure { throw failure }
  }

  /// Waits for datagrams, at most `limit` nanoseconds, takes those that have come, and sends the packets and reports
  /// that are due. For programs with a loop of their own, instead of `start`.
  public func pump(atMostNanoseconds limit: Int) {
    state.withLock { state in
      if !state.isFinished { state.pump.pump(atMostNanoseconds: limit) }
    }
    events.deliver()
  }

  /// Ends the endpoint: waiting packets and a BYE are sent, and the users of its sources leave the pipeline.
  public func stop() {
    isStopping.withLock { $0 = true }
    let thread = state.withLock { state in
      defer { state.thread = nil }
      return state.thread
    }
    if let thread, !thread.isCurrent { thread.join() }
    state.withLock { state in
      if !state.isFinished { state.pump.finish() }
      state.isFinished = true
    }
    events.deliver()
  }
}
