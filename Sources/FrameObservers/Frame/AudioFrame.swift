public import AudioGraph

/// A frame as an observer receives it. It is borrowed: it cannot leave the call, but `copy()` can.
///
/// Shape: `samplesPerChannel` x `channelCount` samples. 16-bit samples are made at their first use.
public struct AudioFrame: ~Copyable, ~Escapable {
  let block: UnsafeMutablePointer<ObservedBlock>

  @_lifetime(borrow block)
  init(_ block: UnsafeMutablePointer<ObservedBlock>) { self.block = block }

  /// Samples of one channel.
  public var samplesPerChannel: Int { block.pointee.header.samplesPerChannel }
  /// Channels, which alternate sample by sample in `samples`.
  public var channelCount: Int { block.pointee.channelCount }
  /// Samples per second and channel, in Hz.
  public var sampleRate: Int { block.pointee.sampleRate }
  /// Bytes of one sample in `samples`: 2.
  public var bytesPerSample: Int { MemoryLayout<Int16>.size }
  /// Time at which the frame is due for rendering, in milliseconds of the engine's clock.
  public var renderTimeMilliseconds: Int { block.pointee.header.captureTimeNanoseconds / 1_000_000 }
  /// Position of the first sample since the stream began; negative while a conversion's delay is being filled.
  public var samplePosition: Int { block.pointee.header.samplePosition }
  /// Monotonic time of capture, in nanoseconds of the engine's clock.
  public var captureTimeNanoseconds: Int { block.pointee.header.captureTimeNanoseconds }
  /// Number of the frame in this callback.
  public var sequenceNumber: Int { block.pointee.header.sequenceNumber }
  /// RTP timestamp of the packet that the frame began in; nil without a packet.
  public var rtpTimestamp: UInt32? { block.pointee.header.rtpTimestamp }
  /// Origin of the samples.
  public var provenance: Provenance { block.pointee.header.provenance }

  /// The samples: 16 bits, channels interleaved.
  public var samples: Span<Int16> {
    @_lifetime(borrow self)
    get {
      let span = Span(_unsafeStart: block.pointee.int16Samples(), count: block.pointee.sampleCount)
      // SAFETY: the memory is the node's and stays as it is while the frame is borrowed.
      return _overrideLifetime(span, borrowing: self)
    }
  }

  /// Returns the samples of one channel as Float32, straight from the pipeline.
  ///
  /// Only for an observer with nil params: a converted frame has no planes, and the span is empty.
  @_lifetime(borrow self)
  public func plane(_ channel: Int) -> Span<Float> {
    guard let native = block.pointee.native else { return Span() }
    let span = Span(_unsafeStart: UnsafePointer(native.channel(channel)), count: samplesPerChannel)
    // SAFETY: as in `samples`.
    return _overrideLifetime(span, borrowing: self)
  }

  /// Returns a copy that outlives the call. Not real-time: it allocates.
  ///
  /// - Parameter origin: Position and user of the frame, as the observer got them.
  public func copy(from origin: FrameOrigin? = nil) -> AudioFrameCopy { AudioFrameCopy(of: block, origin: origin) }
}
