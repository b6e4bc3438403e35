import CALSA
import Glibc

/// Agreement with an opened PCM about its format and buffer.
struct ALSASetup {
  /// Failure of the agreement, as an errno.
  struct Failure: Error {
    let number: Int32
  }

  /// Format that the PCM has agreed to.
  let format: PCMFormat
  /// Layout of one sample in the PCM's buffer.
  let sampleFormat: ALSASampleFormat

  /// Agrees with the PCM on the values nearest to the request, and leaves it prepared.
  static func negotiate(
    _ handle: OpaquePointer, _ direction: AudioDirection, _ request: PCMRequest
  ) throws(Failure) -> ALSASetup {
    var allocated: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&allocated) == 0, let parameters = allocated else { throw Failure(number: ENOMEM) }
    defer { snd_pcm_hw_params_free(parameters) }
    try check(snd_pcm_hw_params_any(handle, parameters))
    try check(snd_pcm_hw_params_set_access(handle, parameters, SND_PCM_ACCESS_RW_INTERLEAVED))
    // The engine converts better than the plugin that would do it here. Not every PCM has the switch.
    _ = snd_pcm_hw_params_set_rate_resample(handle, parameters, 0)
    guard
      let sampleFormat = ALSASampleFormat.allCases.first(where: {
        snd_pcm_hw_params_set_format(handle, parameters, $0.constant) == 0
      })
    else { throw Failure(number: EINVAL) }

    var channels = UInt32(clamping: max(1, request.channelCount))
    try check(snd_pcm_hw_params_set_channels_near(handle, parameters, &channels))
    var rate = UInt32(clamping: max(1, request.sampleRate))
    try check(snd_pcm_hw_params_set_rate_near(handle, parameters, &rate, nil))

    // A buffer of one period is empty or full at every wake-up.
    var least: UInt32 = 2
    _ = snd_pcm_hw_params_set_periods_min(handle, parameters, &least, nil)
    var period = snd_pcm_uframes_t(max(1, Int(rate) * request.periodMilliseconds / 1000))
    try check(snd_pcm_hw_params_set_period_size_near(handle, parameters, &period, nil))
    var buffer = period * snd_pcm_uframes_t(max(2, request.periodsPerBuffer))
    try check(snd_pcm_hw_params_set_buffer_size_near(handle, parameters, &buffer))
    try check(snd_pcm_hw_params(handle, parameters))

    try check(snd_pcm_hw_params_get_rate(parameters, &rate, nil))
    try check(snd_pcm_hw_params_get_channels(parameters, &channels))
    try check(snd_pcm_hw_params_get_period_size(parameters, &period, nil))
    try check(snd_pcm_hw_params_get_buffer_size(parameters, &buffer))
    try setSoftware(handle, period: period, buffer: buffer)
    return ALSASetup(
      format: PCMFormat(
        sampleRate: Int(rate), channelCount: Int(channels), periodCount: Int(period), bufferCount: Int(buffer)),
      sampleFormat: sampleFormat)
  }

  private static func setSoftware(
    _ handle: OpaquePointer, period: snd_pcm_uframes_t, buffer: snd_pcm_uframes_t
  ) throws(Failure) {
    var allocated: OpaquePointer?
    guard snd_pcm_sw_params_malloc(&allocated) == 0, let parameters = allocated else { throw Failure(number: ENOMEM) }
    defer { snd_pcm_sw_params_free(parameters) }
    try check(snd_pcm_sw_params_current(handle, parameters))
    var boundary: snd_pcm_uframes_t = 0
    try check(snd_pcm_sw_params_get_boundary(parameters, &boundary))
    try check(snd_pcm_sw_params_set_avail_min(handle, parameters, period))
    // No amount of samples starts the stream; `start` does.
    try check(snd_pcm_sw_params_set_start_threshold(handle, parameters, boundary))
    try check(snd_pcm_sw_params_set_stop_threshold(handle, parameters, buffer))
    // A PCM without these gives no time, and the stream reads the clock itself.
    _ = snd_pcm_sw_params_set_tstamp_mode(handle, parameters, SND_PCM_TSTAMP_ENABLE)
    _ = snd_pcm_sw_params_set_tstamp_type(handle, parameters, SND_PCM_TSTAMP_TYPE_MONOTONIC)
    try check(snd_pcm_sw_params(handle, parameters))
  }

  private static func check(_ result: Int32) throws(Failure) {
    if result < 0 { throw Failure(number: -result) }
  }
}
