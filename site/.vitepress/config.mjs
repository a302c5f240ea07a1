import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

const page = (text, link) => ({ text, link })

/** Links to files that are no pages, such as sources, are shown without a link. */
function withoutSources(md) {
    md.core.ruler.push('sources', (state) => {
        for (const inline of state.tokens.filter((token) => token.type === 'inline')) {
            let closing = false
            inline.children = inline.children.filter((token) => {
                if (token.type === 'link_open') {
                    const href = token.attrGet('href')
                    closing = !/^([a-z]+:|#|\/)/.test(href) && !/(\.md|\.html)(#.*)?$/.test(href)
                    return !closing
                }
                if (token.type === 'link_close' && closing) {
                    closing = false
                    return false
                }
                return true
            })
        }
    })
}

// A dead link fails the build.
export default defineConfig({
    title: 'Levee',
    description: 'Robust distributed learning on Apache Flink',
    srcDir: '..',
    srcExclude: ['site/**', '**/target/**', '**/node_modules/**', '.github/**'],
    rewrites: {
        'docs/README.md': 'docs/index.md',
        'docs/history/README.md': 'docs/history/index.md',
        'README.md': 'index.md',
    },
    outDir: 'dist',
    cacheDir: 'cache',
    markdown: { config: withoutSources },
    // Pages lie outside of this folder, whose packages they use.
    vite: {
        resolve: {
            alias: { vue: fileURLToPath(new URL('../node_modules/vue', import.meta.url)) },
        },
    },
    themeConfig: {
        search: { provider: 'local' },
        outline: [2, 3],
        nav: [
            page('Quickstart', '/docs/quickstart'),
            page('How to', '/docs/#how-to'),
            page('Reference', '/docs/#reference'),
            page('Architecture', '/docs/architecture'),
            page('Benchmarks', '/docs/benchmarks'),
        ],
        sidebar: [
            {
                text: 'Start',
                items: [
                    page('Overview', '/'),
                    page('All pages', '/docs/'),
                    page('Quickstart', '/docs/quickstart'),
                    page('Concepts', '/docs/concepts'),
                    page('Levee next to Flower and ByzFL', '/docs/comparison'),
                ],
            },
            {
                text: 'How to: train',
                items: [
                    page('Your model, your data', '/docs/how-to/your-model'),
                    page('A model in Python', '/docs/how-to/python-models'),
                    page('Levee in Python', '/docs/how-to/python'),
                    page('Flink clusters', '/docs/how-to/clusters'),
                    page('Size a cluster', '/docs/how-to/sizing'),
                    page('Recovery', '/docs/how-to/recovery'),
                    page('Track and compare runs', '/docs/how-to/runs'),
                    page('Studies', '/docs/how-to/studies'),
                    page('GPU', '/docs/how-to/gpu'),
                    page('Gradient codes', '/docs/how-to/coding'),
                    page('Who was faulty?', '/docs/how-to/audit'),
                    page('Transfers and sums', '/docs/how-to/transfers'),
                ],
            },
            {
                text: 'How to: distribute',
                items: [
                    page('Byzantine servers', '/docs/how-to/topologies'),
                    page('Without a server', '/docs/how-to/decentralized'),
                    page('Workers over Kafka', '/docs/how-to/kafka-workers'),
                    page('Servers over Kafka', '/docs/how-to/kafka-servers'),
                    page('Many devices', '/docs/how-to/federated'),
                    page('Devices over Kafka', '/docs/how-to/federated-kafka'),
                    page('Devices through a gateway', '/docs/how-to/gateway'),
                    page('A model for each device', '/docs/how-to/personal-models'),
                    page('Statistics over devices', '/docs/how-to/federated-analytics'),
                    page('Privacy', '/docs/how-to/privacy'),
                    page('Workers in Python', '/python/README'),
                ],
            },
            {
                text: 'How to: share and place',
                items: [
                    page('Share a Flink cluster', '/docs/how-to/elasticity'),
                    page('Queue runs', '/docs/how-to/queue'),
                    page('Kubernetes', '/docs/how-to/kubernetes'),
                    page('Fine-tune next to the store', '/docs/how-to/feature-extraction'),
                    page('Placement', '/docs/how-to/placement'),
                    page('Pipelines', '/docs/how-to/pipeline'),
                ],
            },
            {
                text: 'How to: analyze and extend',
                items: [
                    page('Causal effects', '/docs/how-to/estimate'),
                    page('Rules on files', '/docs/how-to/rules-on-files'),
                    page('Other Flink jobs', '/docs/how-to/flink'),
                    page('Extend Levee', '/docs/how-to/extending'),
                ],
            },
            {
                text: 'Reference',
                collapsed: true,
                items: [
                    page('Options', '/docs/reference/options'),
                    page('Rules and attacks', '/docs/reference/rules'),
                    page('Data sets', '/docs/reference/datasets'),
                    page('Losses and scores', '/docs/reference/tasks'),
                    page('Elastic runs', '/docs/reference/elastic-runs'),
                    page('Policies', '/docs/reference/policies'),
                    page('Plans and graphs', '/docs/reference/plans'),
                    page('Effects', '/docs/reference/effects'),
                    page('Codes', '/docs/reference/codes'),
                    page('Sampling and weights', '/docs/reference/sampling'),
                    page('Secure sums', '/docs/reference/secure-sums'),
                    page('Metrics', '/docs/reference/metrics'),
                    page('Results', '/docs/reference/results'),
                    page('Memory and threads', '/docs/reference/memory'),
                    page('Wire format', '/docs/reference/wire-format'),
                    page('Gateway protocol', '/docs/reference/gateway'),
                    page('Platforms', '/docs/reference/platforms'),
                ],
            },
            {
                text: 'Architecture',
                collapsed: true,
                items: [
                    page('Overview', '/docs/architecture'),
                    page('The round', '/docs/architecture/round'),
                    page('Recovery', '/docs/architecture/recovery'),
                    page('The loop over Kafka', '/docs/architecture/kafka'),
                    page('Federated rounds', '/docs/architecture/federated'),
                    page('The gateway', '/docs/architecture/gateway'),
                    page('Allocation', '/docs/architecture/allocation'),
                    page('Feature extraction', '/docs/architecture/feature-extraction'),
                    page('Estimation', '/docs/architecture/estimation'),
                    page('Pipelines', '/docs/architecture/pipeline'),
                    page('Where to find things', '/docs/architecture/map'),
                    page('Questions in many places', '/docs/architecture/questions'),
                    page('Hand-written parts', '/docs/architecture/hand-written'),
                ],
            },
            {
                text: 'Benchmarks',
                collapsed: true,
                items: [
                    page('Overview', '/docs/benchmarks'),
                    page('Accuracy under attack', '/docs/benchmarks/accuracy'),
                    page('Resilience on vectors', '/docs/benchmarks/resilience'),
                    page('Resilience in training', '/docs/benchmarks/resilience-training'),
                    page('Resilience of servers', '/docs/benchmarks/resilience-servers'),
                    page('Kernels', '/docs/benchmarks/kernels'),
                    page('GPU', '/docs/benchmarks/gpu'),
                    page('Python', '/docs/benchmarks/python'),
                    page('Dataflow', '/docs/benchmarks/dataflow'),
                    page('Kafka', '/docs/benchmarks/kafka'),
                    page('Federated rounds', '/docs/benchmarks/federated'),
                    page('Sharing a cluster', '/docs/benchmarks/sharing'),
                    page('Policies', '/docs/benchmarks/policies'),
                    page('Fine-tuning', '/docs/benchmarks/finetune'),
                    page('Pipelines', '/docs/benchmarks/pipelines'),
                    page('Transfers and codes', '/docs/benchmarks/transfers'),
                    page('Sizes', '/docs/benchmarks/sizing'),
                    page('Other', '/docs/benchmarks/other'),
                    page('The standing test', '/docs/benchmarks/siege'),
                    page('What stays slow, and why', '/docs/benchmarks/limits'),
                    page('History', '/docs/history/'),
                ],
            },
            {
                text: 'Project',
                collapsed: true,
                items: [
                    page('Changes', '/CHANGELOG'),
                    page('Security', '/SECURITY'),
                    page('Contributing', '/CONTRIBUTING'),
                ],
            },
        ],
    },
})
