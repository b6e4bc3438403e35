// One import for most programs: pipelines, observers, effects, files and RTP.
//
//     import AudioPipe
//
// It does not link FFTW, which is under the GPL; `AudioPipeWithPitch` does.
@_exported public import AudioFiles
@_exported public import AudioGraph
@_exported public import Devices
@_exported public import Effects
@_exported public import Engine
@_exported public import FrameObservers
@_exported public import MediaStreams
@_exported public import Metering
@_exported public import NetworkIO
@_exported public import OfflineProcessing
@_exported public import OpusCodec
@_exported public import Platform
@_exported public import Playback
@_exported public import RTP
@_exported public import RTPSessions
@_exported public import SRTP
