#include <array>

#include "memory_engine_internal.hpp"

namespace gpu_advisor::estimate {
namespace {

// Defaults of the engines' current documentation, as named in `source`.
constexpr std::array kEngines = {
    Engine{.mark = "llama.cpp",
           .chunk = 512,
           .fp32_work = true,
           .source = "llama.cpp: n_ubatch 512, compute buffers in fp32"},
    Engine{.mark = "ollama",
           .chunk = 512,
           .fp32_work = true,
           .source = "Ollama runs llama.cpp's kernels, num_batch 512"},
    Engine{.mark = "lm studio", .chunk = 512, .fp32_work = true, .source = "runs llama.cpp"},
    Engine{.mark = "lmstudio", .chunk = 512, .fp32_work = true, .source = "runs llama.cpp"},
    Engine{.mark = "kobold", .chunk = 512, .fp32_work = true, .source = "runs llama.cpp"},
    Engine{.mark = "exllamav2", .chunk = 2048, .source = "ExLlamaV2: max_input_len 2048"},
    Engine{.mark = "exllama",
           .chunk = 2048,
           .score_matrices = true,
           .source = "ExLlama: max_input_len 2048, attention by matrix products"},
    Engine{
        .mark = "mlx", .chunk = 512, .static_cache = false, .source = "mlx-lm: prefill step 512"},
    Engine{
        .mark = "vllm",
        .chunk = 8192,
        .reserved_share = 0.9,
        .page = 16,
        .graphs_mib = 600,
        .source = "vLLM: gpu_memory_utilization 0.9, max_num_batched_tokens 8192, block size 16"},
    Engine{.mark = "sglang",
           .chunk = 8192,
           .reserved_share = 0.88,
           .graphs_mib = 800,
           .source = "SGLang: mem_fraction_static about 0.88, chunked_prefill_size 8192"},
    Engine{.mark = "lmdeploy",
           .chunk = 8192,
           .reserved_share = 0.8,
           .page = 64,
           .graphs_mib = 300,
           .source = "LMDeploy TurboMind: cache_max_entry_count 0.8 of what is free"},
    Engine{.mark = "trt",
           .chunk = 8192,
           .reserved_share = 0.9,
           .page = 64,
           .graphs_mib = 300,
           .source = "TensorRT-LLM: kv_cache_free_gpu_mem_fraction 0.9, 64 tokens per block"},
    Engine{.mark = "tensorrt",
           .chunk = 8192,
           .reserved_share = 0.9,
           .page = 64,
           .graphs_mib = 300,
           .source = "TensorRT-LLM: kv_cache_free_gpu_mem_fraction 0.9, 64 tokens per block"},
    Engine{.mark = "tgi",
           .chunk = 4096,
           .reserved_share = 0.9,
           .graphs_mib = 300,
           .source = "TGI: prefill 4096 tokens, CUDA graphs"},
    Engine{.mark = "transformers",
           .chunk = 1 << 20,
           .static_cache = false,
           .source =
               "transformers DynamicCache: whole prompt in one pass, cache grown by concatenation"},
    Engine{.mark = "hf",
           .chunk = 1 << 20,
           .static_cache = false,
           .source =
               "transformers DynamicCache: whole prompt in one pass, cache grown by concatenation"},
};

}  // namespace

Engine engine_named(std::string_view name) {
  for (const Engine& row : kEngines) {
    if (name.find(row.mark) != std::string_view::npos) {
      return row;
    }
  }
  return Engine{.mark = {}, .source = "a server that sets its cache aside at start"};
}

}  // namespace gpu_advisor::estimate
