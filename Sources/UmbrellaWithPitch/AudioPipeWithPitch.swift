// `AudioPipe` and pitch detection, which links FFTW and so is under the GPL.
@_exported public import AudioPipe
@_exported public import PitchDetection
