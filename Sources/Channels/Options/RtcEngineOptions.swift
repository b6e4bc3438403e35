public import NetworkIO
public import OpusCodec
public import Platform

/// Options of an `RtcEngine`.
public struct RtcEngineOptions: Sendable {
  /// Codec of the sent sound.
  public var codec: OpusOptions
  /// Channels of sent sound, 1 or 2; nil: those of the local source when publishing begins, and 1 without one.
  public var sentChannelCount: Int?
  /// Channels of received sound, 1 or 2; nil: those of each user's packets.
  public var receivedChannelCount: Int?
  /// Rule for the relay's certificate.
  public var verification: TLSVerification
  /// Clock of the pipeline.
  public var clock: any EngineClock
  /// Runs the work that it is given, in order, such as `{ queue.async(execute: $0) }`; nil: a thread of the engine.
  ///
  /// All calls of delegates and closures go through it. It must not run the work within its own call.
  public var executor: (@Sendable (@escaping @Sendable () -> Void) -> Void)?
  /// Called with every event of every channel, from the join call on, in order and by `executor`; nil: not called.
  public var onEvent: (@Sendable (_ channel: String, ChannelEvent) -> Void)?
  /// Network, random numbers and calendar; those of the machine, unless it is a simulation.
  package var environment = ChannelEnvironment()
  /// Time for which received packets are held before they are heard, as an echo test does.
  var hold = Duration.zero

  /// Creates options from their parts.
  public init(
    codec: OpusOptions = OpusOptions(), sentChannelCount: Int? = nil, receivedChannelCount: Int? = nil,
    verification: TLSVerification = .systemRoots,
    clock: any EngineClock = SystemClock(),
    executor: (@Sendable (@escaping @Sendable () -> Void) -> Void)? = nil,
    onEvent: (@Sendable (_ channel: String, ChannelEvent) -> Void)? = nil
  ) {
    self.codec = codec
    self.sentChannelCount = sentChannelCount
    self.receivedChannelCount = receivedChannelCount
    self.verification = verification
    self.clock = clock
    self.executor = executor
    self.onEvent = onEvent
  }
}
