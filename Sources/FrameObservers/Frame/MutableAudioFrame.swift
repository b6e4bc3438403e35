public import AudioGraph

/// A frame that an observer may change. It is borrowed: it cannot leave the call.
///
/// Samples written by a read-write observer flow on; those written by a read-only one are lost. In the pipeline's own
/// format, samples that are not written keep every bit. In any other format, the difference between given and written
/// samples is converted back and added.
public struct MutableAudioFrame: ~Copyable, ~Escapable {
  let block: UnsafeMutablePointer<ObservedBlock>

  @_lifetime(borrow block)
  init(_ block: UnsafeMutablePointer<ObservedBlock>) { self.block = block }

  /// Read-only view of the frame.
  public var frame: AudioFrame {
    @_lifetime(borrow self)
    get {
      let frame = AudioFrame(block)
      // SAFETY: both views end with the call.
      return _overrideLifetime(frame, borrowing: self)
    }
  }

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
  public var samples: MutableSpan<Int16> {
    @_lifetime(&self)
    mutating get {
      let block = block
      block.pointee.isInt16Touched = true
      let span = MutableSpan(_unsafeStart: block.pointee.int16Samples(), count: block.pointee.sampleCount)
      // SAFETY: the memory is the node's; exclusive access to the frame is exclusive access to it.
      return _overrideLifetime(span, mutating: &self)
    }
  }

  /// Returns the samples of one channel as Float32 in the pipeline's own memory.
  ///
  /// Only for a read-write observer in the pipeline's own format; otherwise the span is empty. Use either planes or
  /// `samples` in one call: if both are written, `samples` win. A written sample that is infinite or NaN becomes 0.
  @_lifetime(&self)
  public mutating func plane(_ channel: Int) -> MutableSpan<Float> {
    guard block.pointee.isWritable, let native = block.pointee.native else { return MutableSpan() }
    block.pointee.arePlanesTouched = true
    let span = MutableSpan(_unsafeStart: native.channel(channel), count: samplesPerChannel)
    // SAFETY: as in `samples`.
    return _overrideLifetime(span, mutating: &self)
  }

  /// Returns a copy that outlives the call. Not real-time: it allocates.
  ///
  /// - Parameter origin: Position and user of the frame, as the observer got them.
  public func copy(from origin: FrameOrigin? = nil) -> AudioFrameCopy { AudioFrameCopy(of: block, origin: origin) }

  /// Silences the frame, faded over 10 ms; the path stays silent as long as each frame is muted.
  public mutating func mute() { block.pointee.isMuted = true }
}
