import COpus

/// The one place that calls libopus.
///
/// REALTIME: the compiler cannot look into C. `encode`, `decode`, `reset` and `sampleCount` are bounded: they
/// take no lock and make no system call. They work on the state's own memory and the stack (the library is built with
/// variable-length arrays, not with malloc).
enum OpusLibrary {
  static func makeEncoder(channelCount: Int, application: OpusOptions.Application) -> Result<OpaquePointer, OpusError> {
    let tuning =
      switch application {
      case .voip: OPUS_APPLICATION_VOIP
      case .audio: OPUS_APPLICATION_AUDIO
      case .lowDelay: OPUS_APPLICATION_RESTRICTED_LOWDELAY
      }
    var code: Int32 = 0
    guard let encoder = opus_encoder_create(48_000, Int32(channelCount), tuning, &code) else {
      return .failure(OpusError(.create, code: code))
    }
    return .success(encoder)
  }

  static func makeDecoder(channelCount: Int) -> Result<OpaquePointer, OpusError> {
    var code: Int32 = 0
    guard let decoder = opus_decoder_create(48_000, Int32(channelCount), &code) else {
      return .failure(OpusError(.create, code: code))
    }
    return .success(decoder)
  }

  /// Sets the options of an encoder.
  ///
  /// - Returns: `OPUS_OK`, or the first error number.
  // REALTIME: each request stores a number in the encoder's own memory.
  @_semantics("no_performance_analysis") @inline(never)
  static func configure(_ encoder: OpaquePointer, _ options: OpusOptions) -> Int32 {
    var code = copus_encoder_set(encoder, OPUS_SET_BITRATE_REQUEST, Int32(options.bitrate))
    if code == OPUS_OK { code = copus_encoder_set(encoder, OPUS_SET_COMPLEXITY_REQUEST, Int32(options.complexity)) }
    let loss = options.forwardErrorCorrection ? options.expectedLossPercent : 0
    if code == OPUS_OK {
      code = copus_encoder_set(encoder, OPUS_SET_INBAND_FEC_REQUEST, options.forwardErrorCorrection ? 1 : 0)
    }
    if code == OPUS_OK { code = copus_encoder_set(encoder, OPUS_SET_PACKET_LOSS_PERC_REQUEST, Int32(loss)) }
    if code == OPUS_OK {
      code = copus_encoder_set(encoder, OPUS_SET_DTX_REQUEST, options.discontinuousTransmission ? 1 : 0)
    }
    return code
  }

  /// Returns the samples at 48 kHz by which decoded sound lags behind its original.
  static func lookAhead(_ encoder: OpaquePointer) -> Result<Int, OpusError> {
    var samples: Int32 = 0
    let code = copus_encoder_get(encoder, OPUS_GET_LOOKAHEAD_REQUEST, &samples)
    return code == OPUS_OK ? .success(Int(samples)) : .failure(OpusError(.configure, code: code))
  }

  static func destroyEncoder(_ encoder: OpaquePointer) { opus_encoder_destroy(encoder) }
  static func destroyDecoder(_ decoder: OpaquePointer) { opus_decoder_destroy(decoder) }
  static func message(_ code: Int32) -> String { String(cString: opus_strerror(code)) }

  /// Encodes one packet.
  ///
  /// - Returns: bytes of the packet, or an error number.
  // REALTIME: bounded; the type says why.
  @_semantics("no_performance_analysis") @inline(never)
  static func encode(
    _ encoder: OpaquePointer, _ samples: UnsafePointer<Float>, samplesPerChannel: Int,
    _ packet: UnsafeMutablePointer<UInt8>, capacity: Int
  ) -> Int32 {
    opus_encode_float(encoder, samples, Int32(samplesPerChannel), packet, Int32(capacity))
  }

  /// Decodes a packet; without one, the library conceals.
  ///
  /// - Returns: samples per channel, or an error number.
  // REALTIME: bounded; the type says why.
  @_semantics("no_performance_analysis") @inline(never)
  static func decode(
    _ decoder: OpaquePointer, _ packet: UnsafePointer<UInt8>?, byteCount: Int,
    _ samples: UnsafeMutablePointer<Float>, samplesPerChannel: Int, recoversPrevious: Bool
  ) -> Int32 {
    opus_decode_float(
      decoder, packet, Int32(byteCount), samples, Int32(samplesPerChannel), recoversPrevious ? 1 : 0)
  }

  /// Puts a decoder back to its first state.
  // REALTIME: it clears the state's own memory.
  @_semantics("no_performance_analysis") @inline(never)
  static func reset(_ decoder: OpaquePointer) { _ = copus_decoder_reset(decoder) }

  /// Counts the samples in a packet.
  ///
  /// - Returns: samples per channel in a packet, or an error number.
  // REALTIME: bounded; the type says why.
  @_semantics("no_performance_analysis") @inline(never)
  static func sampleCount(_ packet: UnsafePointer<UInt8>, byteCount: Int) -> Int32 {
    opus_packet_get_nb_samples(packet, Int32(byteCount), 48_000)
  }

  /// Error number of the library for a packet that breaks the format.
  static var invalidPacket: Int32 { @_noLocks get { -4 } }
  /// Error number of the library for a result that does not fit.
  static var bufferTooSmall: Int32 { @_noLocks get { -2 } }
}
